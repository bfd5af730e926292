package io.millrace.junit;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Closes the brokers that tests share when JUnit ends. JUnit finds it by itself. */
public final class SharedBrokersListener implements LauncherSessionListener {
    /** Made by JUnit. */
    public SharedBrokersListener() {}

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        SharedBrokers.ofThisJvm().sessionOpened();
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        SharedBrokers.ofThisJvm().sessionClosed();
    }
}
