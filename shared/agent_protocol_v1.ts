/**
 * Version 1 of the agents' protocol, frozen: what an edge that speaks nothing newer understands. It closes the socket
 * over a word it does not know, so what is new since is said to it in old words or not at all.
 *
 * The other way round nothing is needed: an edge fills in what an agent of version 1 does not say, and such an agent
 * passes over fields it does not know.
 */
import type { AccountState, AgentFrame, DeviceState } from "./agent_protocol.ts";
import type { DeliveryReason } from "./delivery.ts";

export const VERSION_1 = "shigur.agent.v1";

const DEVICE_STATES: readonly DeviceState[] = [
  "online",
  "offline",
  "unauthorized",
  "booting",
  "locked",
  "low_battery",
  "hot",
  "low_storage",
  "not_answering",
];
const ACCOUNT_STATES: readonly AccountState[] = [
  "ok",
  "banned",
  "restricted",
  "logged_out",
  "app_missing",
  "unreachable",
];
/** Those of a site's reports. */
const REASONS: readonly DeliveryReason[] = [
  "not_on_app",
  "chat_not_opened",
  "chat_titled_by_name",
  "draft_mismatch",
  "caption_not_shown",
  "image_unavailable",
  "device_offline",
  "account_banned",
  "account_restricted",
  "account_logged_out",
  "account_unavailable",
  "phone_screen_blocked",
  "tap_too_late",
  "send_not_verified",
  "agent_restarted",
  "no_go",
  "recalled",
  "validity_over",
  "draining",
  "retries_exhausted",
];

/** The same frame in the words of version 1. */
export function toVersion1(frame: AgentFrame): Record<string, unknown> {
  switch (frame.type) {
    case "hello": {
      const { stopped: _, mark: __, ...hello } = frame;
      return hello;
    }
    case "inventory":
      return {
        ...frame,
        devices: frame.devices.map(({ addresses: _, stateDetail: __, stopped: ___, ...device }) => ({
          ...device,
          state: DEVICE_STATES.includes(device.state) ? device.state : "not_answering",
        })),
        accounts: frame.accounts.map(({ userKind: _, captions: __, ownNumber: ___, ...account }) => ({
          ...account,
          state: ACCOUNT_STATES.includes(account.state) ? account.state : "unreachable",
        })),
      };
    case "report":
      return {
        ...frame,
        items: frame.items.map(({ edgeAt: _, ...item }) => ({
          ...item,
          reason: item.reason !== null && REASONS.includes(item.reason) ? item.reason : null,
        })),
      };
    default:
      return frame;
  }
}
