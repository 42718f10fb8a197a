-- Whether the advertiser's messages carry a personal link for removal.
ALTER TABLE `advertisers` ADD `removal_link` integer DEFAULT 0 NOT NULL;
