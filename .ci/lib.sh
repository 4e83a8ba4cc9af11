# The frame of .ci/run: timed steps, and an end that leaves nothing behind.

began=$SECONDS
times=()
work=$(mktemp -d)
child=   # pid of the one background process a step may have

clean_up() {
  local code=$?
  stop_child
  rm -rf "$work"
  [ "$code" = 0 ] || echo "FAILED in step '${step:-start}' after $((SECONDS - began))s"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

stop_child() {
  [ -n "$child" ] || return 0
  kill "$child" 2>/dev/null || true
  wait "$child" 2>/dev/null || true
  child=
}

# run NAME COMMAND...: one step, unless the command line named others.
run() {
  step=$1
  shift
  [ ${#wanted[@]} = 0 ] || [[ " ${wanted[*]} " == *" $step "* ]] || return 0
  echo "=== $step"
  local start=$SECONDS
  "$@"
  times+=("$step $((SECONDS - start))s")
  echo "--- $step: $((SECONDS - start))s"
}

summary() {
  step=summary
  printf '%s\n' "${times[@]}"
  echo "all steps passed in $((SECONDS - began))s"
}
