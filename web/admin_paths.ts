/** The administrators' paths; a separate file, so visitors and clients do not load them. */
export const ADMIN_PATHS = {
  dashboard: "/admin",
  devices: "/admin/devices",
  device: (id: number | string) => `/admin/devices/${id}`,
  sites: "/admin/sites",
  antiBan: "/admin/anti-ban",
  antiBanSettings: "/admin/settings#anti-ban",
  files: "/admin/files",
  users: "/admin/users",
  campaigns: "/admin/campaigns",
  capacity: "/admin/capacity",
  campaign: (id: number | string) => `/admin/campaigns/${id}`,
  activity: "/admin/activity",
  suppressions: "/admin/suppressions",
  audit: "/admin/audit",
  privacy: "/admin/privacy",
  settings: "/admin/settings",
} as const;
