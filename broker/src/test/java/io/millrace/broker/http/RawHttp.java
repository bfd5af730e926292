package io.millrace.broker.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A socket to an HTTP port: what is sent is exactly what a test says. */
public final class RawHttp implements AutoCloseable {
    private static final int READ_MILLIS = 30_000;

    private final Socket socket;
    private final int port;

    /** Connects to that port of this machine. */
    public RawHttp(int port) throws IOException {
        this.port = port;
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(READ_MILLIS);
    }

    /** One request on a connection of its own; the whole answer. */
    public static String ask(int port, String head, String body) throws IOException {
        try (RawHttp http = new RawHttp(port)) {
            http.send(head + "\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\nContent-Length: "
                    + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body);
            return http.all();
        }
    }

    /** Sends these characters. */
    public void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends these bytes. */
    public void send(byte[]... each) throws IOException {
        for (byte[] bytes : each) {
            socket.getOutputStream().write(bytes);
        }
        socket.getOutputStream().flush();
    }

    /** A GET that leaves the connection open. */
    public void get(String path) throws IOException {
        send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n");
    }

    /** The first characters of an answer: the server has begun it, and nothing more is taken. */
    public String status() throws IOException {
        return next("HTTP/1.1 200".length());
    }

    /** One answer, whose length its head says. */
    public String answer() throws IOException {
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed within a head: " + head);
            }
            head.write(next);
        }
        String text = head.toString(StandardCharsets.UTF_8);
        int at = text.toLowerCase(java.util.Locale.ROOT).indexOf("content-length: ");
        int length = at < 0 ? 0 : Integer.parseInt(text.substring(at + 16, text.indexOf('\r', at)));
        return text + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    /** The next so many characters, which are all ASCII. */
    public String next(int count) throws IOException {
        return new String(socket.getInputStream().readNBytes(count), StandardCharsets.UTF_8);
    }

    /** Everything until the other side closes. */
    public String all() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
