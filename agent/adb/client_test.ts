import assert from "node:assert/strict";
import {
  AdbDisconnectedError,
  AdbProtocolError,
  AdbServerUnreachableError,
  AdbTimeoutError,
} from "./adb_error.ts";
import { createAdbClient } from "./client.ts";
import { MAX_SHELL_OUTPUT_BYTES } from "./shell.ts";
import { concatBytes, encodeHexFrame, encodeShellPacket, shellHeader } from "./wire.ts";

const strict = { sanitizeOps: true, sanitizeResources: true };
const encoder = new TextEncoder();
const OKAY = encoder.encode("OKAY");

/**
 * Starts a server that sends `bytes` to every client. Then it closes or, with `stays`, waits until the client closes.
 */
async function withServer(
  bytes: Uint8Array,
  stays: boolean,
  use: (adb: ReturnType<typeof createAdbClient>, closed: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const served: Promise<void>[] = [];
  const serve = async (conn: Deno.Conn) => {
    const into = new Uint8Array(1024);
    try {
      for (let at = 0; at < bytes.length;) at += await conn.write(bytes.subarray(at));
      if (!stays) await conn.closeWrite();
      while (await conn.read(into) !== null);
    } catch {
      // The client may reset the connection: this test is about the error that it threw.
    }
    conn.close();
  };
  const accepting = (async () => {
    for await (const conn of listener) served.push(serve(conn));
  })();
  try {
    await use(createAdbClient({ hostname: "127.0.0.1", port: listener.addr.port }), async () => {
      await Promise.all(served);
    });
  } finally {
    listener.close();
    await accepting.catch(() => {});
    await Promise.all(served);
  }
}

Deno.test("createAdbClient() reports that no server listens", strict, async () => {
  // No program that asks for a free port gets this one. A port just closed may belong to a new process already.
  await assert.rejects(
    createAdbClient({ hostname: "127.0.0.1", port: 1 }).version(),
    AdbServerUnreachableError,
  );
});

Deno.test("exec() returns an output as it is, up to its bound", strict, async () => {
  const output = new Uint8Array(300_000).map((_, at) => at % 251);
  await withServer(concatBytes([OKAY, OKAY, output]), false, async (adb) => {
    assert.deepEqual(
      await adb.exec("S", "screencap -p", { timeoutMs: 5_000, maxBytes: output.length }),
      output,
    );
  });
  await withServer(concatBytes([OKAY, OKAY, output]), true, async (adb, closed) => {
    await assert.rejects(
      adb.exec("S", "screencap -p", { timeoutMs: 5_000, maxBytes: output.length - 1 }),
      AdbProtocolError,
    );
    await closed();
  });
});

Deno.test("exec() times out while a phone is silent, and closes its socket", strict, async () => {
  await withServer(concatBytes([OKAY, OKAY, new Uint8Array(5_000)]), true, async (adb, closed) => {
    await assert.rejects(adb.exec("S", "x", { timeoutMs: 30, maxBytes: 10_000 }), AdbTimeoutError);
    await closed();
  });
});

Deno.test("shell() times out on a phone that never answers, and closes its socket", strict, async () => {
  await withServer(concatBytes([OKAY, OKAY]), true, async (adb, closed) => {
    await assert.rejects(adb.shell("S", "sleep 100", { timeoutMs: 30 }), AdbTimeoutError);
    await closed();
  });
});

Deno.test(
  "shell() throws the signal's reason when it aborts, before and during the call",
  strict,
  async () => {
    await withServer(concatBytes([OKAY, OKAY]), true, async (adb, closed) => {
      const reason = new Error("draining");
      await assert.rejects(
        adb.shell("S", "x", { timeoutMs: 5_000, signal: AbortSignal.abort(reason) }),
        reason,
      );
      const controller = new AbortController();
      const running = adb.shell("S", "x", { timeoutMs: 5_000, signal: controller.signal });
      controller.abort(reason);
      await assert.rejects(running, reason);
      await closed();
    });
  },
);

Deno.test("shell() does not accept a connection that ends early as an answer", strict, async () => {
  const halfway = concatBytes([OKAY, OKAY, encodeShellPacket(1, encoder.encode("tapped\n"))]);
  await withServer(halfway, false, async (adb) => {
    await assert.rejects(adb.shell("S", "x", { timeoutMs: 5_000 }), AdbDisconnectedError);
  });
});

Deno.test("shell() refuses output without end before it is read", strict, async () => {
  const huge = concatBytes([OKAY, OKAY, shellHeader.encode({ id: 1, length: MAX_SHELL_OUTPUT_BYTES + 1 })]);
  await withServer(huge, true, async (adb) => {
    await assert.rejects(adb.shell("S", "x", { timeoutMs: 5_000 }), AdbProtocolError);
  });
});

Deno.test("shell() does not repeat a refused command: errors are logged", strict, async () => {
  const refused = concatBytes([OKAY, encoder.encode("FAIL"), encodeHexFrame("closed")]);
  for (const answer of [refused, concatBytes([OKAY, encoder.encode("????")])]) {
    await withServer(answer, false, async (adb) => {
      const command = "am start -d 'https://wa.me/447911123456?text=secret\nwords' -p com.whatsapp";
      await assert.rejects(adb.shell("S", command, { timeoutMs: 5_000 }), (error: Error) => {
        assert.match(error.message, /"shell,v2,raw"/);
        assert.doesNotMatch(error.message, /4479|secret|words/);
        return true;
      });
    });
  }
});

Deno.test("version() refuses a server that is not ADB", strict, async () => {
  await withServer(encoder.encode("HTTP/1.1 400 Bad Request\r\n\r\n"), false, async (adb) => {
    await assert.rejects(adb.version(), AdbProtocolError);
  });
  await withServer(concatBytes([OKAY, encodeHexFrame("zz")]), false, async (adb) => {
    await assert.rejects(adb.version(), AdbProtocolError);
  });
});

Deno.test(
  "trackDevices() throws when the server goes away, and disconnects when its reader stops",
  strict,
  async () => {
    const list = concatBytes([OKAY, encodeHexFrame("S device transport_id:1\n")]);
    await withServer(list, false, async (adb) => {
      const seen: string[][] = [];
      await assert.rejects(async () => {
        for await (const devices of adb.trackDevices(new AbortController().signal)) {
          seen.push(devices.map((device) => device.serial));
        }
      }, AdbDisconnectedError);
      assert.deepEqual(seen, [["S"]]);
    });
    await withServer(list, true, async (adb, closed) => {
      for await (const _ of adb.trackDevices(new AbortController().signal)) break;
      await closed();
    });
  },
);
