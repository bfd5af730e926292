package io.millrace.broker.setting;

/**
 * One setting of the broker: the one description from which it is read and checked, and from which the example file and
 * the table of the guide are made.
 */
public sealed interface Setting permits NumberSetting, MachineSetting, TextSetting {
    /** Its key in the configuration file. */
    String key();

    /** The default as the file writes it; empty for none, or for one that the machine decides. */
    String defaultText();

    /** What it may be, for people. */
    String range();

    /** What it does, in sentences. */
    String meaning();
}
