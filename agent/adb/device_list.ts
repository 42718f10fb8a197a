/** One line of the server's list. Only state "device" can run anything. */
export interface AdbDevice {
  serial: string;
  /** In the server's words: "device", "offline", "unauthorized", "recovery", "no permissions", … */
  state: string;
  /** Changes at every reconnection of the same phone. */
  transportId: number;
  model?: string;
  product?: string;
}

/** Reads the text of `host:devices-l`. Throws SyntaxError on a line without a serial and a state. */
export function parseDeviceList(text: string): AdbDevice[] {
  return text.split("\n").filter((line) => line.trim() !== "").map(parseLine);
}

// "no permissions" is the only state that has a space. The text after it is advice about udev.
const LINE = /^(\S+)\s+(no permissions|\S+)(.*)$/;

function parseLine(line: string): AdbDevice {
  const match = LINE.exec(line);
  if (!match) throw new SyntaxError(`Cannot read a device line: ${JSON.stringify(line)}`);
  const [, serial = "", state = "", rest = ""] = match;
  const properties = new Map([...rest.matchAll(/(\w+):(\S+)/g)].map(([, key, value]) => [key, value]));
  const model = properties.get("model");
  const product = properties.get("product");
  return {
    serial,
    state,
    transportId: Number(properties.get("transport_id") ?? 0),
    ...(model === undefined ? {} : { model }),
    ...(product === undefined ? {} : { product }),
  };
}
