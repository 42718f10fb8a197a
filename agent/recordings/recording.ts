/**
 * A recording: what was asked of a phone and what it answered, without a person's name, number or text. One JSON file,
 * written by record_phone.ts, played by replay_phone.ts.
 */
import { z } from "zod";
import { DELIVERY_REASONS } from "shared/delivery.ts";

export const MAX_RECORDING_BYTES = 2_000_000;
export const MAX_STEPS = 300;
export const MAX_NODES = 3_000;
/** Real screens have fewer than forty levels. */
export const MAX_DEPTH = 100;

/** What was asked of the phone. Commands themselves hold numbers and texts, so only their kind is kept. */
export const ASKED = [
  "fence",
  "open_chat",
  "open_picture",
  "read",
  "wake",
  "home",
  "back",
  "press",
  "tap",
  "clear_draft",
  "stop_app",
  "uptime",
  "date",
  "place_image",
  "other",
] as const;
export type Asked = (typeof ASKED)[number];

/** The boolean attributes of a node; a recording lists those that are true. */
export const FLAGS = [
  "checkable",
  "checked",
  "clickable",
  "enabled",
  "focusable",
  "focused",
  "scrollable",
  "long-clickable",
  "password",
  "selected",
  "visible-to-user",
] as const;

const shortText = z.string().max(200);
const nodeText = z.string().max(20_000);
const coordinate = z.int().min(-99_999).max(99_999);

/** One node of a dump. Attributes without a field here are in `more`, redacted like a text. */
export interface RecordedNode {
  id?: string | undefined;
  class?: string | undefined;
  app?: string | undefined;
  text?: string | undefined;
  description?: string | undefined;
  hint?: string | undefined;
  /** left, top, right, bottom. */
  box?: [number, number, number, number] | undefined;
  is?: (typeof FLAGS)[number][] | undefined;
  more?: Record<string, string> | undefined;
  nodes?: RecordedNode[] | undefined;
}

const nodeSchema: z.ZodType<RecordedNode> = z.strictObject({
  id: shortText.optional(),
  class: shortText.optional(),
  app: shortText.optional(),
  text: nodeText.optional(),
  description: nodeText.optional(),
  hint: nodeText.optional(),
  box: z.tuple([coordinate, coordinate, coordinate, coordinate]).optional(),
  is: z.array(z.enum(FLAGS)).max(FLAGS.length).optional(),
  more: z.record(z.string().regex(/^[\w-]{1,40}$/), nodeText).optional(),
  get nodes() {
    return z.array(nodeSchema).max(MAX_NODES).optional();
  },
});

const answerSchema = z.strictObject({
  exitCode: z.int().min(0).max(255),
  /** True when no answer came: the cable, a timeout. */
  isLost: z.boolean().optional(),
  /** The windows of the dump; missing when the phone made none. */
  dump: z.array(nodeSchema).max(100).optional(),
  /** The focused window, and the Android user it belongs to. */
  focus: z.strictObject({ user: z.int().min(0).max(99_999), window: shortText }).optional(),
  uptimeS: z.int().min(0).optional(),
  /** Which boot of the phone, counted from 1: its id is not kept. */
  boot: z.int().min(1).max(99).optional(),
  /** "MM:SS" of the phone's clock. */
  minuteAndSecond: z.string().regex(/^\d\d:\d\d$/).optional(),
  /** The word that the guarded tap printed. */
  tap: z.enum(["tapped", "late"]).optional(),
});
export type Answer = z.infer<typeof answerSchema>;

const stepSchema = z.strictObject({
  asked: z.enum(ASKED),
  /** ms from the start of the recording to the question. */
  atMs: z.int().min(0),
  tookMs: z.int().min(0),
  answer: answerSchema,
});
export type Step = z.infer<typeof stepSchema>;

/** How a flow ended, or has to end on this recording. */
export const verdictSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["ready", "sent", "doubt", "not_on_app", "unknown_screen", "lost_phone"]) }),
  z.strictObject({ kind: z.literal("lost"), state: z.enum(["banned", "restricted", "logged_out"]) }),
  z.strictObject({ kind: z.literal("not_ready"), reason: z.enum(DELIVERY_REASONS) }),
]);
export type Verdict = z.infer<typeof verdictSchema>;

/** `recorded`: on a phone. `documented`: rebuilt from the sources. `unseen`: nobody is known to have seen it. */
export const STANDINGS = ["recorded", "documented", "unseen"] as const;

export const recordingSchema = z.strictObject({
  format: z.literal(1),
  /** What it shows, in English. */
  title: shortText.optional(),
  standing: z.enum(STANDINGS),
  /** What a rebuilt recording rests on, one sentence each with its address. */
  sources: z.array(z.string().max(500)).max(20).optional(),
  facts: z.strictObject({
    app: shortText,
    user: z.int().min(0).max(99_999),
    appVersion: shortText.nullable(),
    androidVersion: shortText.nullable(),
    model: shortText.nullable(),
    /** Language of the app, "he"; null = not known. */
    language: z.string().regex(/^[a-z]{2,3}$/).nullable(),
  }),
  /** What was to be sent, in stand-ins; null when the recording belongs to no delivery. */
  delivery: z.strictObject({
    phone: z.string().regex(/^\+[1-9]\d{6,14}$/),
    text: z.string().max(20_000),
    isPicture: z.boolean(),
  }).nullable(),
  steps: z.array(stepSchema).min(1).max(MAX_STEPS),
  /** How it ended when it was recorded; in the corpus, how every replay has to end. */
  verdict: verdictSchema.nullable(),
});
export type Recording = z.infer<typeof recordingSchema>;

/** Thrown for a file that is not a recording. */
export class RecordingError extends Error {
  override name = "RecordingError";
}

/**
 * Reads the text of a recording file.
 *
 * @throws {RecordingError} when it is too large, not JSON, or has another form
 */
export function parseRecording(text: string): Recording {
  if (text.length > MAX_RECORDING_BYTES) throw new RecordingError("Cannot read recording: it is too large");
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new RecordingError("Cannot read recording: it is not JSON");
  }
  if (depthOf(json) > 2 * MAX_DEPTH + 20) throw new RecordingError("Cannot read recording: it is too deep");
  const parsed = recordingSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RecordingError(`Cannot read recording: ${issue!.path.join(".")} ${issue!.message}`);
  }
  for (const { answer: { dump } } of parsed.data.steps) {
    if (dump && countNodes(dump) > MAX_NODES) {
      throw new RecordingError("Cannot read recording: a dump is too large");
    }
  }
  return parsed.data;
}

/** Returns the text of a recording file: one node a line, so that two recordings can be compared. */
export function formatRecording(recording: Recording): string {
  return `${format(recording, "")}\n`;
}

function format(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent} `;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  // A value without objects inside is one line.
  const isFlat = entries.every(([, each]) =>
    typeof each !== "object" || each === null ||
    (Array.isArray(each) && each.every((one) => typeof one !== "object"))
  );
  if (isFlat) return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[\n${value.map((each) => inner + format(each, inner)).join(",\n")}\n${indent}]`;
  }
  const nodes = entries.find(([key, each]) => (key === "nodes" || key === "dump") && Array.isArray(each));
  if (!nodes) {
    const lines = entries.map(([key, each]) => `${inner}${JSON.stringify(key)}: ${format(each, inner)}`);
    return `{\n${lines.join(",\n")}\n${indent}}`;
  }
  const others = entries.filter((each) => each !== nodes)
    .map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)},`);
  return `{${others.join("")}${JSON.stringify(nodes[0])}:${format(nodes[1], indent)}}`;
}

function countNodes(nodes: readonly RecordedNode[]): number {
  return nodes.reduce((sum, node) => sum + 1 + countNodes(node.nodes ?? []), 0);
}

/** Returns the depth of a JSON value without recursion: the value is not checked yet. */
function depthOf(json: unknown): number {
  let depth = 0;
  let level: unknown[] = [json];
  while (level.length > 0) {
    depth++;
    level = level.flatMap((value) => typeof value === "object" && value !== null ? Object.values(value) : []);
  }
  return depth;
}
