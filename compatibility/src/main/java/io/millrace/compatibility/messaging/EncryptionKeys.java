package io.millrace.compatibility.messaging;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Map;
import org.apache.pulsar.client.api.CryptoKeyReader;
import org.apache.pulsar.client.api.EncryptionKeyInfo;

/** A pair of keys that a scenario makes for itself, under whatever name. */
final class EncryptionKeys implements CryptoKeyReader {
    private static final long serialVersionUID = 1L;
    private static final int BITS = 2048;

    private final byte[] publicKey;
    private final byte[] privateKey;

    EncryptionKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(BITS);
        KeyPair pair = generator.generateKeyPair();
        publicKey = text("PUBLIC KEY", pair.getPublic().getEncoded());
        privateKey = text("PRIVATE KEY", pair.getPrivate().getEncoded());
    }

    private static byte[] text(String kind, byte[] encoded) {
        return ("-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(encoded) + "\n-----END "
                        + kind + "-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public EncryptionKeyInfo getPublicKey(String name, Map<String, String> metadata) {
        return new EncryptionKeyInfo(publicKey, metadata);
    }

    @Override
    public EncryptionKeyInfo getPrivateKey(String name, Map<String, String> metadata) {
        return new EncryptionKeyInfo(privateKey, metadata);
    }
}
