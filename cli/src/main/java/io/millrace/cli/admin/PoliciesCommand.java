package io.millrace.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Policies of a namespace or of a topic, by the keys of the guide to policies. */
@Command(
        name = "policies",
        mixinStandardHelpOptions = true,
        description = {
            "Tells, sets and removes policies of a namespace or a topic of a running broker, over HTTP.",
            "",
            "TENANT/NAMESPACE is a namespace; a topic is NAME, in public/default, or TENANT/NAMESPACE/NAME. "
                    + "The keys and the forms of their values are those of the guide to policies; "
                    + "auto-topics is never, non-partitioned, or partitioned with how many: partitioned,4. "
                    + "A value that begins with a minus stands behind --, after all options."
        })
public final class PoliciesCommand extends Verbs {
    /** The target and the policy that a verb is about, its first arguments. */
    private static final class PolicyArguments {
        @Parameters(
                index = "0",
                paramLabel = "NAMESPACE|TOPIC",
                description = "What it is for.",
                converter = PolicyTarget.Converter.class)
        @SuppressWarnings("NullAway.Init") // picocli sets it before a verb runs
        private PolicyTarget target;

        @Parameters(
                index = "1",
                paramLabel = "KEY",
                description = "Which: ${COMPLETION-CANDIDATES}.",
                completionCandidates = PolicyKey.Keys.class,
                converter = PolicyKey.Converter.class)
        @SuppressWarnings("NullAway.Init") // picocli sets it before a verb runs
        private PolicyKey policy;
    }

    @Command(mixinStandardHelpOptions = true, description = "Prints a policy, or - if it is not set.")
    void get(
            @Mixin AdminOptions admin,
            @Mixin PolicyArguments arguments,
            @Option(names = "--applied", description = "What applies, also if it is set elsewhere or nowhere.")
                    boolean applied) {
        PolicyKey policy = arguments.policy;
        String path = arguments.target.path() + '/' + policy.told(end(arguments)) + (applied ? "?applied=true" : "");
        JsonNode told = policy.in(admin.client().get(path));
        boolean isSet = !told.isMissingNode() && !told.isNull();
        Output output = output();
        if (admin.json()) {
            output.json(isSet ? told : NullNode.instance);
        } else {
            output.line(isSet ? policy.value().text(told) : "-");
        }
    }

    @Command(mixinStandardHelpOptions = true, description = "Sets a policy.")
    void set(
            @Mixin AdminOptions admin,
            @Mixin PolicyArguments arguments,
            @Parameters(index = "2", paramLabel = "VALUE", description = "Its value.") String value) {
        PolicyKey policy = arguments.policy;
        JsonNode json = json(policy, value);
        String path = path(arguments);
        if (policy.isInQuery(arguments.target.isTopic())) {
            admin.client().post(path + '?' + end(arguments) + '=' + TopicPath.part(json.asText()), null);
        } else if (policy.isPut()) {
            admin.client().put(path, json);
        } else {
            admin.client().post(path, json);
        }
    }

    private JsonNode json(PolicyKey policy, String value) {
        try {
            return policy.value().json(value);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(commandLine(), policy + ": " + e.getMessage(), e);
        }
    }

    @Command(mixinStandardHelpOptions = true, description = "Removes a policy: the next level's applies.")
    void remove(@Mixin AdminOptions admin, @Mixin PolicyArguments arguments) {
        admin.client().delete(path(arguments));
    }

    private String path(PolicyArguments arguments) {
        return arguments.target.path() + '/' + end(arguments) + arguments.policy.query();
    }

    private String end(PolicyArguments arguments) {
        boolean isTopic = arguments.target.isTopic();
        String end = arguments.policy.end(isTopic);
        if (end == null) {
            throw new ParameterException(
                    commandLine(),
                    arguments.policy + " is a policy of " + (isTopic ? "a namespace" : "a topic") + " alone");
        }
        return end;
    }
}
