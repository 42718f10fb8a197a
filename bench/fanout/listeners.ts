/** A process with browser sockets; it records the age of each event on arrival, from `mark` to `dump`. */
import { eachWord, nowMs, writeLine } from "../storm/driver_words.ts";
import { madeAt } from "./frame.ts";

interface Options {
  url: string;
  sockets: number;
  cookie: string;
}

const FIRST_APART_MS = 2;

const { url, sockets, cookie }: Options = JSON.parse(await Deno.readTextFile(Deno.args[0]));
let ages: number[] = [];
let isCounting = false;
for (let index = 0; index < sockets; index++) setTimeout(connect, index * FIRST_APART_MS);
let open = 0;

await eachWord(async (word) => {
  if (word === "mark") {
    ages = [];
    isCounting = true;
  } else if (word === "dump") {
    isCounting = false;
    await Deno.writeTextFile(Deno.args[1], JSON.stringify(ages));
    writeLine({ dumped: true });
  }
});
Deno.exit();

function connect(): void {
  const headers = { cookie, origin: url };
  // Deno's constructor accepts headers; the DOM types used here do not have them.
  const Socket = WebSocket as unknown as new (url: string, options: { headers: typeof headers }) => WebSocket;
  const socket = new Socket(`${url.replace("http", "ws")}/ws`, { headers });
  socket.onopen = () => ++open === sockets && writeLine({ all: "open", at: nowMs() });
  socket.onmessage = ({ data }) => {
    if (isCounting) ages.push(nowMs() - madeAt(data));
  };
  socket.onclose = () => {
    throw new Error("A socket was closed");
  };
}
