-- The one schema and the one set of data of both fruit services. Loaded into an empty database before a service is
-- launched; the services never touch the schema. No random values, no timestamps: every load gives the same rows.

create table stores (
    id            bigint        primary key,
    name          varchar(40)   not null unique,
    city          varchar(40)   not null,
    language_tag  varchar(10)   not null,
    currency_code varchar(3)    not null,
    tax_rate      numeric(4, 3) not null
);

create table exchange_rates (
    currency_code varchar(3)     primary key,
    per_euro      numeric(12, 6) not null
);

create table fruits (
    id          bigint       primary key,
    name        varchar(40)  not null unique,
    description varchar(200) not null
);

-- Whole cents: cheaper for the database to read and send than numeric.
create table store_prices (
    fruit_id         bigint  not null references fruits (id) on delete cascade,
    store_id         bigint  not null references stores (id),
    net_cents        integer not null,
    discount_percent integer not null,
    primary key (fruit_id, store_id)
);

-- Identifiers of new fruits, taken 50 at a time as JPA does by default, beyond the identifiers used below.
create sequence fruits_seq start with 1001 increment by 50;

insert into exchange_rates (currency_code, per_euro) values
    ('EUR', 1.000000),
    ('GBP', 0.861200),
    ('JPY', 163.480000),
    ('USD', 1.084700);

insert into stores (id, name, city, language_tag, currency_code, tax_rate) values
    (1, 'Marktplatz', 'Berlin', 'de-DE', 'EUR', 0.070),
    (2, 'Covent Garden', 'London', 'en-GB', 'GBP', 0.200),
    (3, 'Les Halles', 'Paris', 'fr-FR', 'EUR', 0.055),
    (4, 'Pike Place', 'Seattle', 'en-US', 'USD', 0.101),
    (5, 'Tsukiji', 'Tokyo', 'ja-JP', 'JPY', 0.080);

insert into fruits (id, name, description) values
    (1, 'Apple', 'Crisp, keeps through the winter'),
    (2, 'Banana', 'Sold by the hand'),
    (3, 'Cherry', 'Sour ones for cake'),
    (4, 'Fig', 'Dried or fresh'),
    (5, 'Grape', 'White, without seeds'),
    (6, 'Lemon', 'Unwaxed'),
    (7, 'Mango', 'By air, ripe'),
    (8, 'Orange', 'For juice'),
    (9, 'Pear', 'Eat it today'),
    (10, 'Plum', 'Blue, for jam');

-- Every store sells every fruit. Yen are a hundred times as many as the other currencies' units, roughly.
insert into store_prices (fruit_id, store_id, net_cents, discount_percent)
select f.id,
       s.id,
       (case s.currency_code when 'JPY' then 15000 else 100 end) * (1 + f.id % 4) + 17 * f.id * s.id,
       (f.id * s.id) % 4 * 5
from fruits f cross join stores s
order by f.id, s.id;

analyze;
