/** The named worlds for trying the screens, as sizes and weights; their contents are random. */
import type { CampaignStatus } from "shared/campaign.ts";

export interface World {
  clients: number;
  sites: number;
  devices: number;
  campaigns: number;
  /** The largest ordinary campaign, in contacts; a few campaigns have `crowd`. */
  contacts: number;
  crowd: number;
  /** The weight of each status, relative to the others. */
  statuses: Partial<Record<CampaignStatus, number>>;
  /** Failed deliveries in a hundred, for a campaign with trouble. */
  failedPercent: number;
  unknownPercent: number;
  troubles: boolean;
}

const USUAL: World["statuses"] = {
  completed: 60,
  completed_with_errors: 18,
  cancelled: 5,
  draft: 5,
  active: 4,
  ready: 3,
  paused: 2,
  failed: 2,
  processing: 1,
};
const NOTHING: World = {
  clients: 1,
  sites: 0,
  devices: 0,
  campaigns: 0,
  contacts: 0,
  crowd: 0,
  statuses: {},
  failedPercent: 0,
  unknownPercent: 0,
  troubles: false,
};

export const WORLDS = {
  /** A client and an administrator, and nothing else. */
  empty: NOTHING,
  /** A first week. */
  small: {
    ...NOTHING,
    clients: 3,
    sites: 2,
    devices: 8,
    campaigns: 14,
    contacts: 60,
    crowd: 400,
    statuses: {
      completed: 4,
      completed_with_errors: 3,
      draft: 2,
      ready: 2,
      active: 2,
      paused: 2,
      cancelled: 1,
    },
    failedPercent: 8,
    unknownPercent: 2,
  },
  /** Fifty users, two hundred phones, five thousand campaigns. */
  busy: {
    ...NOTHING,
    clients: 49,
    sites: 8,
    devices: 200,
    campaigns: 5_000,
    contacts: 30,
    crowd: 8_000,
    statuses: USUAL,
    failedPercent: 6,
    unknownPercent: 1,
  },
  /** Silent and stopped sites, banned accounts, many unknown outcomes, failed files. */
  storm: {
    ...NOTHING,
    clients: 9,
    sites: 6,
    devices: 60,
    campaigns: 150,
    contacts: 60,
    crowd: 2_000,
    statuses: { ...USUAL, completed: 15, completed_with_errors: 35, active: 12, paused: 12, failed: 10 },
    failedPercent: 25,
    unknownPercent: 12,
    troubles: true,
  },
} satisfies Record<string, World>;

export type WorldName = keyof typeof WORLDS;
