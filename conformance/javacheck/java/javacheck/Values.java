package javacheck;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.Decimal;
import org.apache.fluss.row.GenericArray;
import org.apache.fluss.row.GenericMap;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalArray;
import org.apache.fluss.row.InternalMap;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.row.TimestampLtz;
import org.apache.fluss.row.TimestampNtz;
import org.apache.fluss.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.fluss.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.fluss.shaded.jackson2.com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.apache.fluss.types.ArrayType;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.DataTypeChecks;
import org.apache.fluss.types.MapType;
import org.apache.fluss.types.RowType;

/** Fluss values to their text form and back; the form is told in javacheck.go. */
final class Values {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private Values() {}

    static GenericRow parseRow(RowType type, JsonNode text) {
        int n = type.getFieldCount();
        if (!text.isArray() || text.size() != n) {
            throw new IllegalArgumentException("want an array of " + n + " values, got " + text);
        }
        GenericRow row = new GenericRow(n);
        for (int i = 0; i < n; i++) {
            row.setField(i, parse(type.getTypeAt(i), text.get(i)));
        }
        return row;
    }

    private static Object parse(DataType type, JsonNode text) {
        if (text.isNull()) {
            return null;
        }
        switch (type.getTypeRoot()) {
            case ARRAY:
                return parseArray((ArrayType) type, text);
            case MAP:
                return parseMap((MapType) type, text);
            case ROW:
                return parseRow((RowType) type, text);
            default:
                if (!text.isTextual()) {
                    throw new IllegalArgumentException("want a string for " + type + ", got " + text);
                }
                return parseScalar(type, text.textValue());
        }
    }

    private static GenericArray parseArray(ArrayType type, JsonNode text) {
        Object[] elements = new Object[text.size()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = parse(type.getElementType(), text.get(i));
        }
        return new GenericArray(elements);
    }

    private static GenericMap parseMap(MapType type, JsonNode text) {
        Map<Object, Object> pairs = new LinkedHashMap<>();
        for (JsonNode pair : text) {
            pairs.put(parse(type.getKeyType(), pair.get(0)), parse(type.getValueType(), pair.get(1)));
        }
        return new GenericMap(pairs);
    }

    private static Object parseScalar(DataType type, String text) {
        switch (type.getTypeRoot()) {
            case BOOLEAN:
                return Boolean.valueOf(text);
            case TINYINT:
                return Byte.valueOf(text);
            case SMALLINT:
                return Short.valueOf(text);
            case INTEGER:
            case DATE:
            case TIME_WITHOUT_TIME_ZONE:
                return Integer.valueOf(text);
            case BIGINT:
                return Long.valueOf(text);
            case FLOAT:
                return Float.intBitsToFloat(Integer.parseUnsignedInt(text.substring(2), 16));
            case DOUBLE:
                return Double.longBitsToDouble(Long.parseUnsignedLong(text.substring(2), 16));
            case CHAR:
            case STRING:
                return BinaryString.fromString(text);
            case BINARY:
            case BYTES:
                return unhex(text);
            case DECIMAL:
                return Decimal.fromBigDecimal(
                        new BigDecimal(text), DataTypeChecks.getPrecision(type), DataTypeChecks.getScale(type));
            case TIMESTAMP_WITHOUT_TIME_ZONE:
                return TimestampNtz.fromMillis(millis(text), nanos(text));
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                return TimestampLtz.fromEpochMillis(millis(text), nanos(text));
            default:
                throw new IllegalArgumentException("type " + type);
        }
    }

    private static long millis(String text) {
        return Long.parseLong(text.substring(0, text.indexOf(',')));
    }

    private static int nanos(String text) {
        return Integer.parseInt(text.substring(text.indexOf(',') + 1));
    }

    /** A value the Java reader throws on becomes {"java_error": class name}. */
    static ArrayNode formatRow(RowType type, InternalRow row) {
        ArrayNode text = JSON.arrayNode();
        for (int i = 0; i < type.getFieldCount(); i++) {
            try {
                DataType t = type.getTypeAt(i);
                Object v = row.isNullAt(i) ? null : InternalRow.createFieldGetter(t, i).getFieldOrNull(row);
                text.add(format(t, v));
            } catch (RuntimeException e) {
                text.add(JSON.objectNode().put("java_error", e.getClass().getSimpleName()));
            }
        }
        return text;
    }

    private static JsonNode format(DataType type, Object value) {
        if (value == null) {
            return JSON.nullNode();
        }
        switch (type.getTypeRoot()) {
            case ARRAY:
                return formatArray(((ArrayType) type).getElementType(), (InternalArray) value);
            case MAP:
                return formatMap((MapType) type, (InternalMap) value);
            case ROW:
                return formatRow((RowType) type, (InternalRow) value);
            default:
                return JSON.textNode(formatScalar(type, value));
        }
    }

    private static ArrayNode formatArray(DataType elementType, InternalArray array) {
        ArrayNode text = JSON.arrayNode();
        for (int i = 0; i < array.size(); i++) {
            text.add(formatElement(elementType, array, i));
        }
        return text;
    }

    private static ArrayNode formatMap(MapType type, InternalMap map) {
        ArrayNode text = JSON.arrayNode();
        for (int i = 0; i < map.size(); i++) {
            text.add(JSON.arrayNode()
                    .add(formatElement(type.getKeyType(), map.keyArray(), i))
                    .add(formatElement(type.getValueType(), map.valueArray(), i)));
        }
        return text;
    }

    private static JsonNode formatElement(DataType type, InternalArray array, int i) {
        return format(type, array.isNullAt(i) ? null : InternalArray.createElementGetter(type).getElementOrNull(array, i));
    }

    private static String formatScalar(DataType type, Object value) {
        switch (type.getTypeRoot()) {
            case FLOAT:
                return String.format("0x%08x", Float.floatToRawIntBits((Float) value));
            case DOUBLE:
                return String.format("0x%016x", Double.doubleToRawLongBits((Double) value));
            case BINARY:
            case BYTES:
                return hex((byte[]) value);
            case DECIMAL:
                return ((Decimal) value).toBigDecimal().toPlainString();
            case TIMESTAMP_WITHOUT_TIME_ZONE:
                TimestampNtz ntz = (TimestampNtz) value;
                return ntz.getMillisecond() + "," + ntz.getNanoOfMillisecond();
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                TimestampLtz ltz = (TimestampLtz) value;
                return ltz.getEpochMillisecond() + "," + ltz.getNanoOfMillisecond();
            default:
                return value.toString(); // BOOLEAN, integers, DATE, TIME, CHAR, STRING
        }
    }

    private static byte[] unhex(String text) {
        byte[] b = new byte[text.length() / 2];
        for (int i = 0; i < b.length; i++) {
            b[i] = (byte) Integer.parseInt(text.substring(2 * i, 2 * i + 2), 16);
        }
        return b;
    }

    private static String hex(byte[] b) {
        StringBuilder text = new StringBuilder(2 * b.length);
        for (byte x : b) {
            text.append(String.format("%02x", x));
        }
        return text.toString();
    }
}
