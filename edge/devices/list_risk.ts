import { type Risk, RISK_TIERS, type RiskItem, type RiskTier } from "shared/admin_api.ts";
import type { EdgeContext } from "../context.ts";
import { HIGH_RISK, MEDIUM_RISK } from "../health/account_risk.ts";
import { type DeviceNow, worstAccount } from "./device_now.ts";
import { readDevices } from "./read_devices.ts";

const NO_ACCOUNTS = "אין חשבונות רשומים למכשיר הזה.";

/**
 * Returns devices by risk tier, riskiest first, at most `limit` per tier. A device has the risk of its worst account.
 */
export async function listRisk(ctx: EdgeContext, limit: number): Promise<Risk> {
  const devices = await readDevices(ctx);
  const items = devices.map(riskOf).sort((a, b) => b.score - a.score);
  const tiers = RISK_TIERS.map((tier) => {
    const all = items.filter((item) => tierOf(item.score) === tier);
    return {
      tier,
      count: all.length,
      percent: items.length === 0 ? 0 : Math.round((100 * all.length) / items.length),
      items: all.slice(0, limit),
    };
  });
  return { tiers, lastBan: lastBanOf(devices) };
}

function riskOf(device: DeviceNow): RiskItem {
  const { score, reasons, advice } = worstAccount(device)?.risk ??
    { score: 0, reasons: [NO_ACCOUNTS], advice: [] };
  return {
    deviceId: device.id,
    name: device.name,
    site: device.site.name,
    score,
    reason: reasons[0]!,
    reasons,
    advice,
  };
}

function tierOf(score: number): RiskTier {
  return score >= HIGH_RISK ? "high" : score >= MEDIUM_RISK ? "medium" : "low";
}

function lastBanOf(devices: readonly DeviceNow[]): Risk["lastBan"] {
  return devices
    .flatMap(({ id, name, accounts }) =>
      accounts.flatMap(({ bannedAt }) => bannedAt === null ? [] : [{ deviceId: id, name, at: bannedAt }])
    )
    .reduce<Risk["lastBan"]>((last, ban) => last === null || ban.at > last.at ? ban : last, null);
}
