package io.millrace.junit;

/** How long the broker of a test class lives, and whom it shares it with. */
public enum Lifetime {
    /** One broker for all test classes of this JVM that ask for no other; each class has a namespace of its own in it. */
    JVM,
    /** A fresh broker for the class, with the namespace {@code public/default}. */
    CLASS,
    /** A fresh broker for each test method, with the namespace {@code public/default}. */
    METHOD
}
