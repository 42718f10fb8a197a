-- What unconfirmed accounts were given in a day, whatever they gave back: else a site that gives back is given all.
ALTER TABLE `account_days` ADD `given` integer DEFAULT 0 NOT NULL;
