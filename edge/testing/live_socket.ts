/** The browser's end of the live channel. */
import { sleep } from "../time/sleep.ts";

/** Deno's constructor takes headers; the DOM's types, which check the whole project, do not know them. */
const SocketWithHeaders = WebSocket as unknown as new (
  url: string,
  options: { headers: Record<string, string> },
) => WebSocket;

/** Opens /ws of the edge at `origin` with this cookie, as its own page would. Throws when the edge refuses it. */
export async function openLiveSocket(origin: string, cookie: string) {
  const socket = new SocketWithHeaders(`${origin.replace("http", "ws")}/ws`, { headers: { cookie, origin } });
  const frames: string[] = [];
  const closed = Promise.withResolvers<number>();
  socket.onmessage = ({ data }) => frames.push(data);
  socket.onclose = ({ code }) => closed.resolve(code);
  const opened = Promise.withResolvers<void>();
  socket.onopen = () => opened.resolve();
  socket.onerror = () => opened.reject(new Error("Cannot open the socket"));
  await opened.promise;
  return {
    closed: closed.promise,
    send: (frame: string | Uint8Array<ArrayBuffer>) => socket.send(frame),
    /** Resolves with all received frames once there are `count`. */
    async heard(count: number): Promise<string[]> {
      while (frames.length < count) await sleep(1);
      return frames;
    },
    async end(): Promise<void> {
      socket.close();
      await closed.promise;
    },
  };
}
