package io.millrace.streams.engine.plan;

import io.millrace.streams.graph.NotUsed;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.Function;

/** How the materialized value of a plan is made from those of its stages: a program for a stack of values. */
final class ValueProgram {
    static final int PUSH_STAGE = 0;
    static final int PUSH_NOT_USED = 1;
    static final int MAP = 2;
    static final int COMBINE = 3;
    static final int COMBINE_ALL = 4;
    static final int DROP = 5;

    private static final int[] OF_TWO = {PUSH_NOT_USED, 0, PUSH_STAGE, 0, COMBINE, 0};

    /** Pairs of an operation and its operand: the number of a stage, of a function, or of values. */
    private final int[] code;

    private final Object[] functions;
    private final int depth;

    private ValueProgram(int[] code, Object[] functions, int depth) {
        this.code = code;
        this.functions = functions;
        this.depth = depth;
    }

    /** Combines the value of a source, which has none of use, with that of the one stage that it runs into. */
    static ValueProgram ofTwo(BiFunction<Object, Object, Object> combine) {
        return new ValueProgram(OF_TWO, new Object[] {combine}, 2);
    }

    /** The value where there is one stage, of this value. */
    @SuppressWarnings("unchecked")
    Object runOfOne(Object stageValue) {
        return code == OF_TWO
                ? ((BiFunction<Object, Object, Object>) functions[0]).apply(NotUsed.NOT_USED, stageValue)
                : run(new Object[] {stageValue});
    }

    @SuppressWarnings("unchecked")
    Object run(Object[] stageValues) {
        Object[] stack = new Object[depth];
        int top = 0;
        for (int i = 0; i < code.length; i += 2) {
            int operand = code[i + 1];
            switch (code[i]) {
                case PUSH_STAGE -> stack[top++] = stageValues[operand];
                case PUSH_NOT_USED -> stack[top++] = NotUsed.NOT_USED;
                case MAP -> stack[top - 1] = ((Function<Object, Object>) functions[operand]).apply(stack[top - 1]);
                case COMBINE -> {
                    top--;
                    stack[top - 1] =
                            ((BiFunction<Object, Object, Object>) functions[operand]).apply(stack[top - 1], stack[top]);
                }
                case COMBINE_ALL -> {
                    All all = (All) functions[operand];
                    top -= all.count();
                    stack[top] = all.combine().apply(Arrays.copyOfRange(stack, top, top + all.count()));
                    top++;
                }
                case DROP -> top--;
                default -> throw new IllegalStateException("unknown operation " + code[i]);
            }
        }
        return stack[0];
    }

    /** A function of the topmost values. */
    record All(int count, Function<Object[], Object> combine) {}

    /** Collects the operations. */
    static final class Builder {
        private int[] code = new int[16];
        private int length;
        private Object[] functions = new Object[4];
        private int functionCount;
        private int top;
        private int depth;

        void pushStage(int line) {
            add(PUSH_STAGE, line, 1);
        }

        void pushNotUsed() {
            add(PUSH_NOT_USED, 0, 1);
        }

        void map(Function<Object, Object> function) {
            add(MAP, function(function), 0);
        }

        void combine(BiFunction<Object, Object, Object> function) {
            add(COMBINE, function(function), -1);
        }

        void combineAll(int count, Function<Object[], Object> function) {
            add(COMBINE_ALL, function(new All(count, function)), 1 - count);
        }

        void drop() {
            add(DROP, 0, -1);
        }

        private int function(Object function) {
            if (functionCount == functions.length) {
                functions = Arrays.copyOf(functions, functionCount * 2);
            }
            functions[functionCount] = function;
            return functionCount++;
        }

        private void add(int operation, int operand, int growth) {
            if (length == code.length) {
                code = Arrays.copyOf(code, length * 2);
            }
            code[length++] = operation;
            code[length++] = operand;
            top += growth;
            depth = Math.max(depth, top);
        }

        /** The program for the nodes that became of the lines. */
        ValueProgram build(Fusion fusion) {
            for (int i = 0; i < length; i += 2) {
                if (code[i] == PUSH_STAGE) {
                    int node = fusion.valueNode(code[i + 1]);
                    code[i] = node < 0 ? PUSH_NOT_USED : PUSH_STAGE;
                    code[i + 1] = node;
                }
            }
            return new ValueProgram(
                    Arrays.copyOf(code, length), Arrays.copyOf(functions, functionCount), Math.max(1, depth));
        }
    }
}
