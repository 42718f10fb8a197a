/** Paths for all users; the administrators' own are in `admin_paths.ts`. */
export const PATHS = {
  landing: "/",
  login: "/login",
  /** The page beside the phones; DESK_PATH of shared/desk_guide.ts, whose words visitors do not load. */
  desk: "/desk",
  /** A recipient's own page; REMOVAL_PATH of shared/removal_address.ts. */
  removal: (token: number | string) => `/r/${token}`,
  /** An invitation's page; its token is the hash. */
  join: "/join",
  client: "/client",
  account: "/account",
  advertiser: "/account#advertiser",
  campaign: (id: number | string) => `/client/campaign/${id}`,
  /** A campaign with its test to oneself open. */
  test: (id: number) => `/client/campaign/${id}#test`,
  admin: "/admin",
  adminUsers: "/admin/users",
} as const;
