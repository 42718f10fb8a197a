/** Every path of the application, in one place. */
export const PATHS = {
  landing: "/",
  login: "/login",
  client: "/client",
  account: "/account",
  advertiser: "/account#advertiser",
  campaign: (id: number | string) => `/client/campaign/${id}`,
  admin: "/admin",
  adminDevices: "/admin/devices",
  adminAntiBan: "/admin/anti-ban",
  adminFiles: "/admin/files",
  adminUsers: "/admin/users",
  adminSettings: "/admin/settings",
} as const;
