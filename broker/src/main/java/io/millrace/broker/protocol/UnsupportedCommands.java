package io.millrace.broker.protocol;

import io.millrace.wire.BaseCommand;
import io.millrace.wire.ServerError;

/** Answers every command that the broker does not support with an error that names it. Owned by the event loop. */
final class UnsupportedCommands {
    private static final ServerError CODE = ServerError.NotAllowedError;

    private final Replies replies;
    private final CommandErrors errors;

    UnsupportedCommands(Replies replies, CommandErrors errors) {
        this.replies = replies;
        this.errors = errors;
    }

    void refuse(BaseCommand command) {
        switch (command.getType()) {
            case AUTH_CHALLENGE, AUTH_RESPONSE -> refuseUnasked(command, "authentication is not configured");
            case TC_CLIENT_CONNECT_REQUEST,
                    NEW_TXN,
                    END_TXN,
                    ADD_PARTITION_TO_TXN,
                    ADD_SUBSCRIPTION_TO_TXN,
                    END_TXN_ON_PARTITION,
                    END_TXN_ON_SUBSCRIPTION -> errors.answer(command, CODE, "transactions are not supported");
            default -> refuseUnknown(command.getType().getValue());
        }
    }

    /** A command whose number the protocol does not have, or that only a broker sends. */
    void refuseUnknown(int type) {
        replies.error(Replies.NO_REQUEST, CODE, "command type " + type + " is not one that this broker takes");
    }

    private void refuseUnasked(BaseCommand command, String text) {
        replies.error(Replies.NO_REQUEST, CODE, text + ", so " + command.getType() + " makes no sense");
    }
}
