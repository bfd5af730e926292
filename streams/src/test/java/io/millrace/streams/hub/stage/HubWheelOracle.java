package io.millrace.streams.hub.stage;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Checks the inside of a broadcast hub's wheel: what it counts against what it links. */
final class HubWheelOracle {
    private HubWheelOracle() {}

    /** Throws when the wheel contradicts itself or holds other consumers than these. */
    static void check(HubCore<?> core, HubRing<?> ring, Set<HubConsumer> expected) {
        HubWheel wheel = core.wheel();
        Set<HubConsumer> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        int inWheel = 0;
        for (int slot = 0; slot < wheel.slots(); slot++) {
            int linked = 0;
            boolean isPaced = false;
            HubConsumer before = null;
            for (HubConsumer at = wheel.firstIn(slot); at != null; at = at.next) {
                require(seen.add(at), "a consumer is linked twice");
                require(at.slot == slot, "a consumer stands in slot " + at.slot + " but is linked in " + slot);
                require(at.previous == before, "the links of slot " + slot + " disagree");
                boolean aside = slot == wheel.slots() - 1;
                require(aside != (at.state == HubConsumer.State.WHEEL), at.state + " in slot " + slot);
                if (!aside) {
                    inWheel++;
                    require(slot == (int) (at.position & (wheel.slots() - 2)), "a consumer stands at another position");
                    require(at.position - core.head() >= 0, "the head has passed a consumer");
                    require(ring.tailPlain() - at.position >= 0, "a consumer is beyond the tail");
                }
                isPaced |= at.paces();
                before = at;
                linked++;
            }
            require(
                    linked == wheel.countIn(slot),
                    "slot " + slot + " counts " + wheel.countIn(slot) + ", has " + linked);
            require(
                    slot == wheel.slots() - 1 || wheel.givesWay(slot) == (linked > 0 && !isPaced),
                    "slot " + slot + " gives way or not, against those in it");
        }
        require(inWheel == wheel.inWheel(), "the wheel counts " + wheel.inWheel() + " but has " + inWheel);
        require(seen.size() == core.consumers(), "the hub counts " + core.consumers() + " but has " + seen.size());
        require(
                seen.equals(expected),
                "ghosts or strays: " + seen.size() + " linked, " + expected.size() + " expected");
        long held = ring.tailPlain() - core.head();
        require(held >= 0 && held <= ring.size(), "the hub holds " + held + " of " + ring.size());
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
