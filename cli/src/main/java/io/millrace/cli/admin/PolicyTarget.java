package io.millrace.cli.admin;

import picocli.CommandLine.ITypeConverter;

/**
 * What a policy is set for: a namespace or a topic.
 *
 * @param path where the admin API has it
 */
record PolicyTarget(String path, boolean isTopic) {
    /** Reads {@code tenant/namespace}, or a topic's name in any of its forms. */
    static final class Converter implements ITypeConverter<PolicyTarget> {
        @Override
        public PolicyTarget convert(String text) {
            boolean isTopic = text.contains("://") || text.split("/", -1).length != 2;
            return new PolicyTarget(
                    isTopic
                            ? new TopicPath.Converter().convert(text).path()
                            : new NamespacePath.Converter().convert(text).path(),
                    isTopic);
        }
    }
}
