create table shop_products (
  id integer primary key, slug text not null unique, title text not null, kind text not null, colour text not null,
  price integer not null, rating real not null, stock integer not null, about text not null
);
create table shop_addresses (
  id integer primary key, owner integer not null, label text not null, street text not null, city text not null
);
create table shop_cards (id integer primary key, owner integer not null, brand text not null, last4 text not null);
create table shop_cart_lines (id integer primary key, customer integer not null, product integer not null, quantity integer not null);
create table shop_wishes (id integer primary key, customer integer not null, product integer not null);
create table shop_orders (
  id integer primary key, customer integer not null, address integer not null, card integer not null,
  delivery text not null, state text not null, placed_on text not null, total integer not null, reason text not null default ''
);
create table shop_order_lines (
  id integer primary key, order_id integer not null, product integer not null, quantity integer not null, price integer not null
);
create table shop_reviews (
  id integer primary key, product integer not null, author integer not null, stars integer not null,
  text text not null, on_day text not null
);
