/** The fake edge's responses about phones: the fleet, one phone, the risk, and search results. */
import type { DeviceCommand, DeviceDetail, Risk, SearchHit } from "shared/admin_api.ts";
import type { AdbStatus } from "shared/http_api.ts";
import type { FakeState } from "./fake_state.ts";

type Device = AdbStatus["devices"][number];

/** Returns all phones with their counts. */
export function adbStatusOf(devices: Device[]): AdbStatus {
  const online = devices.filter(({ adbConnected }) => adbConnected).length;
  const total = devices.length;
  return { devices, summary: { total, online, offline: total - online } };
}

/** Returns one phone for its own screen; `facts` is added to each of its accounts. */
export function detailOf(
  device: Device,
  commands: DeviceCommand[],
  facts: Partial<DeviceDetail["accounts"][number]>,
  stateDetail: string | null = null,
): DeviceDetail {
  return {
    ...device,
    serial: "R58M31XK2QA",
    addresses: [device.address],
    stateDetail,
    owesRehearsal: false,
    model: "SM-A145F",
    androidVersion: "14",
    firstSeenAt: 0,
    usedToday: device.messagesToday,
    riskScore: Math.max(0, ...device.accounts.map(({ riskScore }) => riskScore)),
    site: { id: device.siteId, name: device.site, connected: device.siteConnected, lastSeenAt: 0 },
    accounts: device.accounts.map((account) => ({
      ...account,
      state: account.status === "banned" ? "banned" : "ok",
      stateSince: 0,
      riskReasons: account.riskScore < 30 ? [] : ["קרוב לתקרה היומית", "שני נמענים ביקשו הסרה"],
      riskAdvice: account.riskScore < 30 ? [] : ["לפזר את השליחה על פני יותר ימים."],
      riskHistory: [],
      unknownScreen: null,
      trip: null,
      firstInstalledAt: 0,
      userKind: "owner",
      captions: true,
      screensSeen: true,
      ownNumber: null,
      ...facts,
      sent24h: account.messagesCount,
      failed24h: 1,
      unknown24h: 0,
    })),
    deliveries: [],
    commands: commands.filter(({ deviceId }) => deviceId === device.id),
  };
}

/** Returns the phones ordered by their accounts' risk. */
export function riskOf(devices: Device[], limit: number, lastBan: Risk["lastBan"]): Risk {
  const items = devices.map((device) => ({
    deviceId: device.id,
    name: device.name,
    site: device.site,
    score: Math.max(0, ...device.accounts.map(({ riskScore }) => riskScore)),
    reason: "אין סימנים חריגים",
    reasons: ["אין סימנים חריגים"],
    advice: [],
  })).sort((a, b) => b.score - a.score);
  const tier = (name: "high" | "medium" | "low", least: number, most: number) => {
    const found = items.filter(({ score }) => score >= least && score <= most);
    const percent = items.length === 0 ? 0 : Math.round(found.length / items.length * 100);
    return { tier: name, count: found.length, percent, items: found.slice(0, limit) };
  };
  return {
    tiers: [tier("high", 70, 100), tier("medium", 30, 69), tier("low", 0, 29)],
    lastBan,
  };
}

/** Returns search results for part of a name. */
export function searchIn(
  devices: Device[],
  { campaigns, users }: Pick<FakeState, "campaigns" | "users">,
  q: string,
): SearchHit[] {
  const hits: SearchHit[] = [
    ...devices.map((device) => ({
      kind: "device" as const,
      id: device.id,
      title: device.name,
      detail: device.site,
      state: device.state,
    })),
    ...campaigns.map(({ id, name, status }) => ({
      kind: "campaign" as const,
      id,
      title: name,
      detail: "dana",
      state: status,
    })),
    ...users.map(({ id, username, role, disabled }) => ({
      kind: "user" as const,
      id,
      title: username,
      detail: role,
      state: disabled ? "disabled" : "",
    })),
  ];
  return hits.filter(({ title }) => title.includes(q)).slice(0, 8);
}
