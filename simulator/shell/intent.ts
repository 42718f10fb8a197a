/** The arguments of `am start`. */
export interface Intent {
  action: string | null;
  data: string | null;
  type: string | null;
  category: string | null;
  app: string | null;
  /** "app/.Activity". */
  component: string | null;
  user: number;
  extras: Map<string, string>;
}

const VALUED = new Set(["-a", "-d", "-t", "-p", "-n", "-f", "-c", "--user"]);
const EXTRAS = new Set(["--es", "--eu", "--ez", "--ei", "--el", "-e"]);

/** Reads the arguments of `am start`. Throws SyntaxError on an unknown option, or one without its value. */
export function parseIntent(args: string[]): Intent {
  const options = new Map<string, string>();
  const extras = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (VALUED.has(arg)) options.set(arg, needed(args, ++at, arg));
    else if (EXTRAS.has(arg)) {
      extras.set(needed(args, at + 1, arg), needed(args, at + 2, arg));
      at += 2;
    } else if (arg.startsWith("-") && !/^(-W|-S|--activity-[\w-]+|--grant-[\w-]+)$/.test(arg)) {
      throw new SyntaxError(`Unknown option: ${arg}`);
    }
  }
  const user = options.get("--user") ?? "0";
  return {
    action: options.get("-a") ?? null,
    data: options.get("-d") ?? null,
    type: options.get("-t") ?? null,
    category: options.get("-c") ?? null,
    app: options.get("-p") ?? null,
    component: options.get("-n") ?? null,
    user: user === "current" ? 0 : Number(user),
    extras,
  };
}

/** Returns digits and text of the chat that a link opens; null when it is not a link of the app. */
export function parseChatLink(link: string): { number: string; text: string } | null {
  const match = /^https:\/\/wa\.me\/\+?([^?#]*)(?:\?([^#]*))?/.exec(link);
  if (match) return { number: match[1]!, text: queryValue(match[2] ?? "", "text") };
  const send = /^(?:whatsapp:\/\/send|https:\/\/api\.whatsapp\.com\/send)\/?\?([^#]*)/.exec(link);
  if (!send) return null;
  return { number: queryValue(send[1]!, "phone").replace(/^\+/, ""), text: queryValue(send[1]!, "text") };
}

// As Android's Uri.getQueryParameter: a plus is a blank, and invalid encoding becomes U+FFFD.
function queryValue(query: string, name: string): string {
  for (const pair of query.split("&")) {
    const [key, ...value] = pair.split("=");
    if (key === name) return decodePercent(value.join("=").replaceAll("+", " "));
  }
  return "";
}

function decodePercent(text: string): string {
  const bytes: number[] = [];
  for (const [part] of text.matchAll(/%[0-9a-f]{2}|[^%]+|%/gi)) {
    if (/^%[0-9a-f]{2}$/i.test(part)) bytes.push(parseInt(part.slice(1), 16));
    else bytes.push(...new TextEncoder().encode(part === "%" ? "\ufffd" : part));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function needed(args: string[], at: number, option: string): string {
  const value = args[at];
  if (value === undefined) throw new SyntaxError(`Argument expected after "${option}"`);
  return value;
}
