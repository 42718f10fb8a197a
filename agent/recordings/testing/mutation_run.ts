/** Runs whole deliveries on phones whose every screen is changed at random, and judges each touch. */
import type { Random } from "shared/random.ts";
import { seededRandom } from "../../../simulator/phone/random.ts";
import { deliver } from "../../delivery/deliver.ts";
import { lookBack } from "../../phone/look_back.ts";
import type { AppAccount, Phone } from "../../phone/phone.ts";
import type { TapIntent } from "../../phone/tap_intent.ts";
import { askedBy } from "../asked.ts";
import { type RawNode, treeOf, xmlOf } from "../dump_tree.ts";
import { whyWrong } from "../judge_tap.ts";
import { FLAGS, type RecordedNode, type Recording } from "../recording.ts";
import { screenOutput } from "../replay_phone.ts";
import { mutate } from "./mutate.ts";

export interface MutationResult {
  /** Changed screens that a flow has read. */
  screens: number;
  deliveries: number;
  /** Taps on send that were right. */
  rightTaps: number;
  /** One line for each touch that was not. */
  wrong: string[];
}

/** The send buttons and the titles of the screens as they were, under an attribute that no flow reads. */
const MARK = "mark";
const SEND_ID = /:id\/(?:send|send_media_btn)$/;
const TITLE_ID = /:id\/(?:conversation_contact_name|recipient\w*)$/;

/** Serves at least `screens` changed screens of these recordings. The same seed makes the same run. */
export async function runMutations(
  recordings: readonly Recording[],
  screens: number,
  seed: string,
): Promise<MutationResult> {
  const random = seededRandom(`mutations/${seed}`);
  const usable = recordings.filter(({ delivery, steps }) =>
    delivery && steps.some(({ answer }) => answer.dump)
  );
  const result: MutationResult = { screens: 0, deliveries: 0, rightTaps: 0, wrong: [] };
  const others = usable.flatMap(({ steps }) =>
    steps.flatMap(({ answer }) => answer.dump ? [marked(answer.dump)] : [])
  );
  while (result.screens < screens) {
    const recording = usable[Math.floor(random() * usable.length)]!;
    await deliverOnce(recording, others, result, random);
  }
  return result;
}

async function deliverOnce(
  { delivery, facts, steps }: Recording,
  others: RecordedNode[][],
  result: MutationResult,
  random: Random,
): Promise<void> {
  const own = delivery!;
  const account: AppAccount = { device: "MUTANT", app: facts.app, user: facts.user };
  const message = { phone: own.phone, text: own.text, imagePath: own.isPicture ? "/sdcard/x.jpg" : null };
  const shown = steps.filter(({ answer }) => answer.dump)
    .map((step) => ({ asked: step.asked, answer: { ...step.answer, dump: marked(step.answer.dump!) } }));
  let at = 0;
  let passedMs = 0;
  let last: RecordedNode[] = [];
  let isOtherInFront = false;
  let mutations = "";
  const phone: Phone = {
    device: "MUTANT",
    clock: {
      now: () => passedMs,
      monotonic: () => passedMs,
      sleep(ms) {
        passedMs += ms;
        return Promise.resolve();
      },
    },
    run(command) {
      const kind = askedBy(command);
      if (kind === "fence") return Promise.resolve("00000000-0000-4000-8000-000000000000\nexit 1\n");
      if (kind === "uptime") return Promise.resolve(`999999.00 1.00\n00000000-0000-4000-8000-000000000001\n`);
      if (kind === "date") return Promise.resolve("00:30\n");
      if (kind === "open_chat" || kind === "open_picture" || kind === "read") {
        return Promise.resolve(nextScreen(kind));
      }
      const touch = /input tap (-?\d+) (-?\d+)/.exec(command);
      if (touch) judge(kind, { x: Number(touch[1]), y: Number(touch[2]) });
      return Promise.resolve(kind === "tap" ? "tapped\n" : "");
    },
    push: () => Promise.resolve(),
  };

  function nextScreen(kind: "open_chat" | "open_picture" | "read"): string {
    const of = shown.findIndex((step, index) => index >= at && (kind === "read" || step.asked === kind));
    const index = of >= 0 ? of : shown.length - 1;
    at = Math.min(index + 1, shown.length - 1);
    const { answer } = shown[index]!;
    // One in twenty is as it was: a run without a right tap would prove nothing.
    const changed = random() < 0.05
      ? { windows: answer.dump, mutations: [] }
      : mutate(answer.dump, others, own, random);
    result.screens++;
    mutations = changed.mutations.join(", ");
    last = changed.windows;
    isOtherInFront = random() < 0.02;
    const focus = isOtherInFront ? { user: facts.user, window: pick(OTHER_WINDOWS, random) } : answer.focus!;
    return screenOutput({ ...answer, focus, dump: changed.windows });
  }

  function judge(kind: string, point: { x: number; y: number }): void {
    // The judge reads what the phone wrote, as the flows do.
    const seen = treeOf(xmlOf(last))!.map(plain);
    const target = topmost(seen, point);
    const isSend = target?.more?.[MARK] === "send";
    if (kind === "tap") {
      const why = whyWrong(last, point, own) ?? whyOtherTitle(seen, own) ??
        (isSend || looksLikeSend(target) ? null : "not the send button");
      if (why === null) result.rightTaps++;
      else {result.wrong.push(
          `${why} (${mutations}; ${facts.language}, ${own.isPicture ? "picture" : "text"})`,
        );}
    } else if (isSend) result.wrong.push(`${kind} on send (${mutations})`);
    else if (kind === "press") {
      const why = whyNotPressed(seen, own);
      if (why !== null) result.wrong.push(`OK of ${why} (${mutations})`);
    }
  }

  result.deliveries++;
  let intent: TapIntent | null = null;
  const done = await deliver(phone, account, message, {
    awaitPaceSlot: () => Promise.resolve(void (random() < 0.2 && (passedMs += 5_000))),
    remainingMs: () => 60_000,
    beginTapping(tap) {
      intent = tap;
      return Promise.resolve(true);
    },
    tapped() {},
  });
  if (done.kind === "doubt" && intent) await lookBack(phone, account, message, intent).catch(() => null);
}

const OTHER_WINDOWS = [
  "com.android.chrome/com.google.android.apps.chrome.Main",
  "NotificationShade",
  "PopupWindow:3f2a1b",
  "com.whatsapp.w4b.other/com.whatsapp.Conversation",
];

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}

/** A node with both the id and the words of the send button is one, wherever it came from. */
function looksLikeSend(node: RecordedNode | null): boolean {
  return SEND_ID.test(node?.id ?? "") && /^(?:Send|שליחה|إرسال|Отправить)$/.test(node?.description ?? "");
}

function marked(windows: readonly RecordedNode[]): RecordedNode[] {
  return windows.map((node) => ({
    ...node,
    ...(SEND_ID.test(node.id ?? "") ? { more: { ...node.more, [MARK]: "send" } } : {}),
    ...(TITLE_ID.test(node.id ?? "") ? { more: { ...node.more, [MARK]: "title" } } : {}),
    ...(node.nodes ? { nodes: marked(node.nodes) } : {}),
  }));
}

/**
 * Wherever a title was moved and whatever it is called now, a person still reads it in the upper part of a chat and at
 * the foot of a picture.
 */
function whyOtherTitle(
  nodes: readonly RecordedNode[],
  { phone, isPicture }: { phone: string; isPicture: boolean },
): string | null {
  const height = Math.max(...flat(nodes).map(({ box }) => box![3]));
  const titles = flat(nodes, (node) => !isListOf(node)).filter(({ more, text = "", box }) =>
    more?.[MARK] === "title" && text !== "" &&
    (isPicture ? (box![1] + box![3]) / 2 > 0.85 * height : (box![1] + box![3]) / 2 < height / 4) &&
    box![2] > box![0] && box![3] > box![1]
  );
  const isOther = ({ text = "" }: RecordedNode) =>
    isPicture || /\d{3}/.test(text) ? !shownDigits(text).endsWith(phone.slice(1)) : false;
  return titles.some(isOther) ? "the chat of another title" : null;
}

/** A question "send to …?" may be agreed to only when it names this number, and only for a picture. */
function whyNotPressed(
  nodes: readonly RecordedNode[],
  { phone, isPicture }: { phone: string; isPicture: boolean },
): string | null {
  const texts = flat(nodes).filter(({ id }) => id === "android:id/message").map(({ text = "" }) => text);
  const questions = texts.filter((text) => /^(?:Send to|לשלוח אל|الإرسال إلى|Отправить) .*[?؟]$/.test(text));
  if (questions.length === 0) return null;
  if (!isPicture) return "a question, for a text";
  return questions.every((text) => shownDigits(text) === phone.slice(1))
    ? null
    : "a question about somebody else";
}

function shownDigits(text: string): string {
  return [...text].map((sign) => "٠١٢٣٤٥٦٧٨٩".indexOf(sign) < 0 ? sign : "٠١٢٣٤٥٦٧٨٩".indexOf(sign)).join("")
    .replace(/\D/g, "");
}

function isListOf({ class: name = "", is = [] }: RecordedNode): boolean {
  return /(?:ListView|RecyclerView)$/.test(name) || is.includes("scrollable");
}

function flat(
  nodes: readonly RecordedNode[],
  isEntered: (node: RecordedNode) => boolean = () => true,
): RecordedNode[] {
  return nodes.flatMap((node) => [node, ...(isEntered(node) ? flat(node.nodes ?? [], isEntered) : [])]);
}

function topmost(nodes: readonly RecordedNode[], { x, y }: { x: number; y: number }): RecordedNode | null {
  let found: RecordedNode | null = null;
  for (const node of nodes) {
    const [left, top, right, bottom] = node.box ?? [0, 0, 0, 0];
    if (node.is?.includes("clickable") && x >= left && x < right && y >= top && y < bottom) found = node;
    found = topmost(node.nodes ?? [], { x, y }) ?? found;
  }
  return found;
}

/** The node of a recording without redaction: for screens that were never on a phone. */
function plain({ attributes, nodes }: RawNode): RecordedNode {
  const [left, top, right, bottom] = (attributes.get("bounds") ?? "").match(/-?\d+/g)?.map(Number) ??
    [0, 0, 0, 0];
  return {
    id: attributes.get("resource-id"),
    class: attributes.get("class"),
    app: attributes.get("package"),
    text: attributes.get("text"),
    description: attributes.get("content-desc"),
    box: [left!, top!, right!, bottom!],
    is: FLAGS.filter((flag) => attributes.get(flag) === "true"),
    more: attributes.has(MARK) ? { [MARK]: attributes.get(MARK)! } : {},
    nodes: nodes.map(plain),
  };
}
