-- Why an administrator corrected a client's quota.
ALTER TABLE `quota_ledger` ADD `reason` text;
