package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.BidiFlow;
import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.NotUsed;
import org.junit.jupiter.api.Test;

final class BidiFlowTest extends EngineTest {
    private static final BidiFlow<Integer, String, String, Integer, NotUsed> CODEC =
            BidiFlow.fromFunctions(number -> "n" + number, text -> Integer.parseInt(text.substring(1)));
    private static final BidiFlow<String, String, String, String, NotUsed> BRACKETS =
            BidiFlow.fromFunctions(text -> "(" + text + ")", text -> text.substring(1, text.length() - 1));

    @Test
    void joinedBidiFlowsGoDownAndUpAgain() throws Exception {
        Flow<Integer, Integer, NotUsed> echo = CODEC.atop(BRACKETS)
                .atop(BidiFlow.identity())
                .async()
                .join(Flow.<String, String>of(text -> text.replace('1', '7')));
        assertThat(await(Source.of(1, 2, 21).via(echo).runWith(Sink.seq(), runtime)))
                .containsExactly(7, 2, 27);
    }

    @Test
    void reversedBidiFlowExchangesTopAndBottom() throws Exception {
        Flow<String, String, NotUsed> plusOne = CODEC.reversed().join(Flow.<Integer, Integer>of(number -> number + 1));
        assertThat(await(Source.of("n1", "n9").via(plusOne).runWith(Sink.seq(), runtime)))
                .containsExactly("n2", "n10");
    }

    @Test
    void valuesOfBothPartsAreCombined() {
        BidiFlow<Integer, String, String, Integer, String> named = CODEC.mapMaterializedValue(nothing -> "codec");
        String value = Source.<Integer>empty()
                .viaMat(
                        named.joinMat(
                                Flow.<String>create().mapMaterializedValue(nothing -> "turn"),
                                (codec, turn) -> codec + "+" + turn),
                        Keep.right())
                .to(Sink.ignore())
                .run(runtime);
        assertThat(value).isEqualTo("codec+turn");
    }
}
