"""Fernwood, a shop: search, filters, cart, checkout, orders, wish list and reviews."""

from typing import Any

from pytest_webbench.world.kit import Response, page_of
from pytest_webbench.world.local import LocalSite, Visit

site = LocalSite(__file__)

SHIPPING = {"standard": 490, "express": 1290}
REASONS = ["Ordered by mistake", "Found it cheaper", "Takes too long", "Changed my mind"]
ORDERS = {
    "": "title",
    "price": "price, title",
    "dearest": "price desc, title",
    "rating": "rating desc, title",
}
MOST = 150


def show(template: str, visit: Visit, **values: Any) -> Response:
    """A page with what all of them have: kinds, and how much is in the cart."""
    kinds = [row["kind"] for row in visit.rows("select distinct kind from shop_products")]
    count = "select coalesce(sum(quantity), 0) as n from shop_cart_lines where customer = ?"
    cart = visit.rows(count, visit.user)[0]["n"]
    return site.show(template, visit, kinds=kinds, in_cart=cart, **values)


def missing(visit: Visit) -> Response:
    return show("missing.html", visit, status=404)


@site.page("/")
def home(visit: Visit) -> Response:
    best = visit.rows(
        "select * from shop_products where stock > 0 order by rating desc, id limit 6"
    )
    return show("home.html", visit, best=best)


@site.page("/goods")
def goods(visit: Visit) -> Response:
    """The list: by kind or words, narrowed down by price, colour and stock."""
    kind, words, top = visit.asked("kind"), visit.asked("q"), visit.asked("max")
    colours = visit.request.query_params.getlist("colour")
    limit = int(top) if top.isdecimal() else MOST
    order = ORDERS.get(visit.asked("sort"), "title")
    found = visit.rows(
        "select * from shop_products where (kind = ?1 or ?1 = '') and title like ?2"
        " and (price <= ?3 or ?3 = ?4) and (stock > 0 or ?5 = '')"
        f" order by {order}",
        kind,
        f"%{words}%",
        limit * 100,
        MOST * 100,
        visit.asked("stock"),
    )
    found = [row for row in found if not colours or row["colour"] in colours]
    every = [
        row["colour"] for row in visit.rows("select distinct colour from shop_products order by 1")
    ]
    page = page_of(found, visit.asked("page"), 12)
    return show(
        "goods.html",
        visit,
        page=page,
        kind=kind,
        words=words,
        limit=limit,
        most=MOST,
        every=every,
        chosen=colours,
    )


@site.page("/product/{slug}")
def product(visit: Visit) -> Response:
    row = visit.row("select * from shop_products where slug = ?", visit.part("slug"))
    if row is None:
        return missing(visit)
    reviews = visit.rows(
        "select r.*, p.name from shop_reviews r join people p on p.id = r.author where"
        " product = ? order by r.id desc",
        row["id"],
    )
    wished = visit.row(
        "select 1 from shop_wishes where customer = ? and product = ?", visit.user, row["id"]
    )
    bought = visit.row(
        "select 1 from shop_order_lines l join shop_orders o on o.id = l.order_id"
        " where o.customer = ? and o.state = 'delivered' and l.product = ?",
        visit.user,
        row["id"],
    )
    return show("product.html", visit, product=row, reviews=reviews, wished=wished, bought=bought)


@site.action("/product/{slug}/cart")
def to_cart(visit: Visit) -> Response:
    row = visit.row("select * from shop_products where slug = ?", visit.part("slug"))
    if row is None:
        return missing(visit)
    amount = int(visit.field("quantity")) if visit.field("quantity").isdecimal() else 0
    if not 1 <= amount <= row["stock"]:
        visit.notice(f"There are {row['stock']} of these in stock.")
        return visit.see(f"/product/{row['slug']}")
    same = "update shop_cart_lines set quantity = quantity + ? where customer = ? and product = ?"
    if not visit.run(same, amount, visit.user, row["id"]):
        visit.insert("shop_cart_lines", customer=visit.user, product=row["id"], quantity=amount)
    visit.notice(f"{row['title']} is in your cart.")
    return visit.see("/cart")


@site.action("/product/{slug}/wish")
def wish(visit: Visit) -> Response:
    row = visit.row("select * from shop_products where slug = ?", visit.part("slug"))
    if row is None:
        return missing(visit)
    if not visit.run(
        "delete from shop_wishes where customer = ? and product = ?", visit.user, row["id"]
    ):
        visit.insert("shop_wishes", customer=visit.user, product=row["id"])
    return visit.see(f"/product/{row['slug']}")


@site.action("/product/{slug}/review")
def review(visit: Visit) -> Response:
    row = visit.row("select * from shop_products where slug = ?", visit.part("slug"))
    if row is None:
        return missing(visit)
    stars, text = visit.field("stars"), visit.field("text")
    if stars not in ("1", "2", "3", "4", "5") or not text:
        visit.notice("Please choose stars and write a sentence.")
        return visit.see(f"/product/{row['slug']}")
    visit.insert(
        "shop_reviews",
        product=row["id"],
        author=visit.user,
        stars=int(stars),
        text=text,
        on_day=visit.now.date().isoformat(),
    )
    visit.notice("Thank you for your review.")
    return visit.see(f"/product/{row['slug']}")


@site.page("/wishes")
def wishes(visit: Visit) -> Response:
    rows = visit.rows(
        "select p.* from shop_wishes w join shop_products p on p.id = w.product where"
        " customer = ? order by w.id",
        visit.user,
    )
    return show("wishes.html", visit, rows=rows)


def lines_of(visit: Visit) -> list[dict[str, Any]]:
    return visit.rows(
        "select l.id, l.quantity, p.id as product, p.title, p.slug, p.price, p.stock"
        " from shop_cart_lines l"
        " join shop_products p on p.id = l.product where customer = ? order by l.id",
        visit.user,
    )


def sum_of(lines: list[dict[str, Any]]) -> int:
    return sum(int(line["quantity"]) * int(line["price"]) for line in lines)


@site.page("/cart")
def cart(visit: Visit) -> Response:
    lines = lines_of(visit)
    return show("cart.html", visit, lines=lines, total=sum_of(lines))


@site.action("/cart/{id}")
def change_line(visit: Visit) -> Response:
    amount = visit.field("quantity")
    mine = "where id = ? and customer = ?"
    if visit.field("remove"):
        visit.run(f"delete from shop_cart_lines {mine}", visit.part("id"), visit.user)
    elif amount.isdecimal() and int(amount) >= 1:
        sql = f"update shop_cart_lines set quantity = ? {mine}"
        visit.run(sql, int(amount), visit.part("id"), visit.user)
    return visit.see("/cart")


@site.page("/checkout")
def checkout(visit: Visit) -> Response:
    lines = lines_of(visit)
    addresses = visit.rows("select * from shop_addresses where owner = ? order by id", visit.user)
    cards = visit.rows("select * from shop_cards where owner = ? order by id", visit.user)
    return show(
        "checkout.html",
        visit,
        lines=lines,
        total=sum_of(lines),
        addresses=addresses,
        cards=cards,
        shipping=SHIPPING,
    )


@site.action("/checkout")
def place(visit: Visit) -> Response:
    lines = lines_of(visit)
    address = visit.row(
        "select * from shop_addresses where id = ? and owner = ?",
        visit.field("address"),
        visit.user,
    )
    card = visit.row(
        "select * from shop_cards where id = ? and owner = ?", visit.field("card"), visit.user
    )
    delivery = visit.field("delivery")
    if not lines or address is None or card is None or delivery not in SHIPPING:
        visit.notice("Please choose an address, a delivery and a card.")
        return visit.see("/checkout")
    order = visit.insert(
        "shop_orders",
        customer=visit.user,
        address=address["id"],
        card=card["id"],
        delivery=delivery,
        state="placed",
        placed_on=visit.now.date().isoformat(),
        total=sum_of(lines) + SHIPPING[delivery],
    )
    for line in lines:
        values = {"product": line["product"], "quantity": line["quantity"], "price": line["price"]}
        visit.insert("shop_order_lines", order_id=order, **values)
    with visit.consequence("an order was placed"):
        visit.run("delete from shop_cart_lines where customer = ?", visit.user)
        for line in lines:
            visit.run(
                "update shop_products set stock = stock - ? where id = ?",
                line["quantity"],
                line["product"],
            )
        receipt(visit, order, sum_of(lines) + SHIPPING[delivery])
    visit.notice("Thank you, your order is placed.")
    return visit.see(f"/orders/{order}")


def receipt(visit: Visit, order: int, total: int) -> None:
    """What the shop writes to its customer."""
    visit.insert(
        "mail_messages",
        owner=visit.user,
        folder="inbox",
        sender="Fernwood",
        sender_mail="orders@fernwood.example",
        recipient="me",
        subject=f"Your order {order}",
        body=f"Thank you for order {order}. We charge {total / 100:.2f} euros to your card.",
        sent_at=visit.now.strftime("%Y-%m-%d %H:%M"),
    )


@site.page("/orders")
def orders(visit: Visit) -> Response:
    rows = visit.rows("select * from shop_orders where customer = ? order by id desc", visit.user)
    return show("orders.html", visit, rows=rows)


@site.page("/orders/{id}")
def order(visit: Visit) -> Response:
    row = visit.row(
        "select o.*, a.label, a.street, a.city, c.brand, c.last4 from shop_orders o"
        " join shop_addresses a on a.id = o.address"
        " join shop_cards c on c.id = o.card where o.id = ? and customer = ?",
        visit.part("id"),
        visit.user,
    )
    if row is None:
        return missing(visit)
    lines = visit.rows(
        "select l.*, p.title, p.slug from shop_order_lines l join shop_products p on"
        " p.id = l.product where order_id = ?",
        row["id"],
    )
    return show("order.html", visit, order=row, lines=lines, reasons=REASONS)


@site.action("/orders/{id}/cancel")
def cancel(visit: Visit) -> Response:
    if visit.field("reason") not in REASONS:
        visit.notice("Please choose a reason.")
    else:
        sql = (
            "update shop_orders set state = 'cancelled', reason = ? where id = ? and"
            " customer = ? and state = 'placed'"
        )
        visit.run(sql, visit.field("reason"), visit.part("id"), visit.user)
    return visit.see(f"/orders/{visit.part('id')}")


@site.page("/addresses")
def addresses(visit: Visit) -> Response:
    rows = visit.rows("select * from shop_addresses where owner = ? order by id", visit.user)
    return show("addresses.html", visit, rows=rows)


@site.action("/addresses")
def add_address(visit: Visit) -> Response:
    given = {name: visit.field(name) for name in ("label", "street", "city")}
    if all(given.values()):
        visit.insert("shop_addresses", owner=visit.user, **given)
    else:
        visit.notice("Please fill in label, street and city.")
    return visit.see("/addresses")
