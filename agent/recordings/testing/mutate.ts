/** Changes screens at random, as a new version of the app or a strange phone might. */
import type { Random } from "shared/random.ts";
import type { RecordedNode } from "../recording.ts";

export const MUTATIONS = [
  "drop",
  "unwrap",
  "move",
  "rename",
  "swap ids",
  "swap texts",
  "swap descriptions",
  "copy a text",
  "plant our number",
  "plant our draft",
  "plant words",
  "plant a description",
  "overlap",
  "shift",
  "flatten",
  "attribute twice",
  "disable",
  "other package",
  "copy a node",
  "reorder windows",
  "add a window",
  "reorder nodes",
] as const;
export type Mutation = (typeof MUTATIONS)[number];

export interface Mutated {
  windows: RecordedNode[];
  mutations: Mutation[];
}

interface Placed {
  node: RecordedNode;
  siblings: RecordedNode[];
}

/** Returns a changed copy of a screen. `others` are windows that may be added, `delivery` may be planted. */
export function mutate(
  windows: readonly RecordedNode[],
  others: readonly (readonly RecordedNode[])[],
  delivery: { phone: string; text: string },
  random: Random,
): Mutated {
  const roots = structuredClone(windows) as RecordedNode[];
  const mutations: Mutation[] = [];
  // Mostly a few changes: a screen of rubble proves little.
  const count = 1 + Math.floor(random() ** 2 * 6);
  for (let made = 0; made < count; made++) {
    const mutation = pick(MUTATIONS, random);
    apply(mutation, roots, others, delivery, random);
    mutations.push(mutation);
  }
  return { windows: roots, mutations };
}

/** Ids of what people write around a right chat. */
const PEOPLES = /:id\/(?:pinned_message_text|title|quoted_text|floating_date|message_text|single_msg_tv)$/;

/** Returns a copy of a screen with other words where people's words are, and the texts of `kept` as they were. */
export function withOtherWords(
  windows: readonly RecordedNode[],
  kept: readonly string[],
  random: Random,
): RecordedNode[] {
  return windows.map((node) => ({
    ...node,
    ...(PEOPLES.test(node.id ?? "") && !kept.includes(node.text ?? "")
      ? { text: pick(PLANTED, random) }
      : {}),
    ...(node.nodes ? { nodes: withOtherWords(node.nodes, kept, random) } : {}),
  }));
}

function apply(
  mutation: Mutation,
  roots: RecordedNode[],
  others: readonly (readonly RecordedNode[])[],
  { phone, text }: { phone: string; text: string },
  random: Random,
): void {
  const placed = all(roots);
  if (placed.length === 0) return;
  // The nodes that the flows look at are changed more often than their number would tell.
  const telling = placed.filter(({ node }) => TELLING.test(node.id ?? ""));
  const one = random() < 0.6 && telling.length > 0 ? pick(telling, random) : pick(placed, random);
  const other = random() < 0.4 && telling.length > 0 ? pick(telling, random) : pick(placed, random);
  const { node, siblings } = one;
  const at = siblings.indexOf(node);
  switch (mutation) {
    case "drop":
      siblings.splice(at, 1);
      return;
    case "unwrap":
      siblings.splice(at, 1, ...node.nodes ?? []);
      return;
    case "move":
      if (isWithin(other.node, node)) return;
      siblings.splice(at, 1);
      other.node.nodes = [...other.node.nodes ?? [], node];
      if (random() < 0.5) node.box = [...other.node.box ?? [0, 0, 0, 0]];
      return;
    case "rename":
      node.id = random() < 0.5
        ? other.node.id
        : random() < 0.5
        ? undefined
        : `com.whatsapp:id/${pick(IDS, random)}`;
      return;
    case "swap ids":
      [node.id, other.node.id] = [other.node.id, node.id];
      return;
    case "swap texts":
      [node.text, other.node.text] = [other.node.text, node.text];
      return;
    case "swap descriptions":
      [node.description, other.node.description] = [other.node.description, node.description];
      return;
    case "copy a text":
      node.text = random() < 0.8 ? other.node.text : (other.node.text ?? "").slice(0, -1);
      return;
    case "plant our number":
      node.text = phone;
      return;
    case "plant our draft":
      node.text = text;
      return;
    case "plant words":
      node.text = pick(PLANTED, random);
      return;
    case "plant a description":
      node.description = random() < 0.2 ? phone : pick(PLANTED, random);
      return;
    case "overlap":
      node.box = random() < 0.7 ? [...other.node.box ?? [0, 0, 0, 0]] : [0, 0, 9_999, 9_999];
      return;
    case "shift": {
      const [left, top, right, bottom] = node.box ?? [0, 0, 0, 0];
      const [x, y] = [Math.round((random() - 0.5) * 1_500), Math.round((random() - 0.5) * 1_500)];
      node.box = [left + x, top + y, right + x, bottom + y];
      return;
    }
    case "flatten": {
      const [left, top] = node.box ?? [0, 0, 0, 0];
      node.box = random() < 0.5 ? [left, top, left, top] : [0, 0, 0, 0];
      return;
    }
    case "attribute twice":
      node.more = {
        ...node.more,
        [pick(["text", "resource-id", "content-desc", "package"], random)]:
          (random() < 0.5 ? other.node.id : other.node.text) ?? "",
      };
      return;
    case "disable":
      node.is = (node.is ?? []).filter((flag) => flag !== (random() < 0.5 ? "clickable" : "enabled"));
      return;
    case "other package":
      node.app = pick(["com.whatsapp.w4b", "com.android.systemui", "com.miui.securitycenter", ""], random);
      return;
    case "copy a node":
      if (isWithin(other.node, node)) return;
      other.siblings.splice(other.siblings.indexOf(other.node), 0, structuredClone(node));
      return;
    case "reorder windows":
      roots.reverse();
      return;
    case "add a window": {
      const added = structuredClone(pick(others, random)) as RecordedNode[];
      if (random() < 0.5) roots.push(...added);
      else roots.unshift(...added);
      return;
    }
    case "reorder nodes":
      siblings.sort(() => random() - 0.5);
  }
}

/** What people write, and what the app says of other receivers. */
export const PLANTED = [
  "+972 52-111-2233",
  "+٩٧٢ ٥٢-١١١-٢٢٣٣",
  "052-1112233",
  "1-700-700-700",
  "2025 - 2026",
  "12/10/2024",
  "12.10.2024",
  "What to do when your account has been banned",
  "This account is not allowed to use WhatsApp",
  "Please verify your phone number",
  "החשבון שלך הוגבל זמנית",
  "حسابك محظور",
  "Этот аккаунт заблокирован",
  "Dana Levi",
  "My status (Contacts)",
  "+1 more",
  "5 chats",
  "Send to Dana Levi?",
  "Send to +972 52-111-2233?",
];
const IDS = [
  "send",
  "entry",
  "conversation_contact_name",
  "send_media_btn",
  "caption",
  "recipients_text",
  "recipient_chip",
  "title",
  "pinned_message_text",
  "wds_button",
];
const TELLING =
  /:id\/(?:send|send_media_btn|entry|conversation_contact_name|caption|recipients_text|voice_note_btn|message|button1|message_text|status|conversation_text_row|toolbar|footer|input_layout|recipient\w*|pinned_message_\w+|link_preview_frame|title|quoted_text|floating_date|conversation_contact_status)$/;

function all(siblings: RecordedNode[]): Placed[] {
  return siblings.flatMap((node) => [{ node, siblings }, ...all(node.nodes ?? [])]);
}

function isWithin(node: RecordedNode, outer: RecordedNode): boolean {
  return node === outer || (outer.nodes ?? []).some((each) => isWithin(node, each));
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}
