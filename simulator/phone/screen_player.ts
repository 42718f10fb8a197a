import type { UiNode, UiWindow } from "./ui_node.ts";

/** One screen of a recording, and the question that it answered. */
export interface PlayedScreen {
  asked: "open_chat" | "open_picture" | "read";
  /** The windows of its dump; null = the phone made none. */
  windows: UiNode[] | null;
  /** The focused window; null = between two of them. */
  activity: string | null;
  user: number;
}

const SEND = /:id\/(?:send|send_media_btn)$/;
const TITLE = /:id\/(?:conversation_contact_name|recipients_text)$/;

/** Shows the screens of a recording one after the other, as the phone showed them. */
export class ScreenPlayer {
  #at = 0;
  #isUnread = true;

  /** @throws {RangeError} when the recording has no screen */
  constructor(readonly screens: readonly PlayedScreen[]) {
    if (screens.length === 0) throw new RangeError("Cannot play a recording without screens");
  }

  get current(): PlayedScreen {
    return this.screens[this.#at]!;
  }

  /** Goes to the next screen that an opening showed; stays at the last one. */
  open(kind: "open_chat" | "open_picture"): void {
    const from = this.#isUnread ? this.#at : this.#at + 1;
    const next = this.screens.findIndex(({ asked }, at) => at >= from && asked === kind);
    if (next >= 0) this.#at = next;
    this.#isUnread = true;
  }

  /** Returns the windows of the next reading. */
  read(): UiNode[] | null {
    if (!this.#isUnread && this.screens[this.#at + 1]?.asked === "read") this.#at++;
    this.#isUnread = false;
    return this.current.windows;
  }

  /** Returns the windows in front; a tap on the send button calls `onSend` with the number and the draft in sight. */
  windows(onSend: (number: string, text: string) => void): UiWindow[] {
    const nodes = this.current.windows ?? [];
    const number = find(nodes, ({ id }) => TITLE.test(id))?.text.replace(/\D/g, "") ?? "";
    const text = find(nodes, ({ className }) => className.endsWith("EditText"))?.text ?? "";
    return nodes.map((root) => ({ root: withSend(root, () => onSend(number, text)), isModal: true }));
  }
}

function withSend(node: UiNode, onTap: () => void): UiNode {
  return {
    ...node,
    ...(SEND.test(node.id) && node.onTap ? { onTap } : {}),
    children: node.children.map((child) => withSend(child, onTap)),
  };
}

function find(nodes: readonly UiNode[], is: (node: UiNode) => boolean): UiNode | null {
  for (const node of nodes) {
    const found = is(node) ? node : find(node.children, is);
    if (found) return found;
  }
  return null;
}
