package io.millrace.streams.graph;

import java.util.List;

/** Two lines in opposite directions: what comes in at the top goes out at the top, and the same at the bottom. */
public final class BidiShape<I1, O1, I2, O2> extends Shape {
    private final Inlet<I1> in1;
    private final Outlet<O1> out1;
    private final Inlet<I2> in2;
    private final Outlet<O2> out2;

    private BidiShape(Inlet<I1> in1, Outlet<O1> out1, Inlet<I2> in2, Outlet<O2> out2) {
        this.in1 = in1;
        in1.claim(0);
        this.out1 = out1;
        out1.claim(0);
        this.in2 = in2;
        in2.claim(1);
        this.out2 = out2;
        out2.claim(1);
    }

    /** A shape with these ports: in and out at the top, in and out at the bottom. */
    public static <I1, O1, I2, O2> BidiShape<I1, O1, I2, O2> of(
            Inlet<I1> in1, Outlet<O1> out1, Inlet<I2> in2, Outlet<O2> out2) {
        return new BidiShape<>(in1, out1, in2, out2);
    }

    public Inlet<I1> in1() {
        return in1;
    }

    public Outlet<O1> out1() {
        return out1;
    }

    public Inlet<I2> in2() {
        return in2;
    }

    public Outlet<O2> out2() {
        return out2;
    }

    @Override
    public List<Inlet<?>> inlets() {
        return List.of(in1, in2);
    }

    @Override
    public List<Outlet<?>> outlets() {
        return List.of(out1, out2);
    }

    @Override
    public BidiShape<I1, O1, I2, O2> copy() {
        return of(in1.copy(), out1.copy(), in2.copy(), out2.copy());
    }
}
