-- The local day on which the account was last weighed (health/weigh_accounts.ts): until a day is, it is not known
-- whether the one before was green, and the warm-up grows no further.
ALTER TABLE `accounts` ADD `weighed_day` integer;
