"""A program that uses the generated Python client for every kind of document.

Usage: client.py BASE_URL KEY
"""

import base64
import datetime
import io
import sys
import time
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import UUID, uuid4

from khatm_client import AuthenticatedClient
from khatm_client.api.clients import change_buyer, create_client, get_buyer, list_buyers
from khatm_client.api.devices import list_devices
from khatm_client.api.invoices import (
    create_invoice,
    create_invoice_note,
    draw_invoice_pdf,
    get_invoice,
    get_invoice_pdf,
    list_invoice_notes,
    list_invoices,
    preview_invoice,
    resend_invoice,
)
from khatm_client.api.items import change_item, create_item, get_item, list_items
from khatm_client.api.reference_data import list_payment_means_types, list_units_of_measure, list_vat_rates
from khatm_client.api.usage import get_usage
from khatm_client import models as m
from khatm_client.types import UNSET, File, Unset
from khatm_public import Client as PublicClient
from khatm_public.api.lookups import list_business_types, list_industries
from khatm_public import models as public

base_url, key = sys.argv[1], sys.argv[2]
khatm = AuthenticatedClient(base_url=base_url, token=key)
lookups = PublicClient(base_url=base_url)

T = TypeVar("T")
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
TODAY = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=3)).date()


def got(kind: type[T], answer: object) -> T:
    """The successful response, or an error with the refusal."""
    if not isinstance(answer, kind):
        raise AssertionError(f"want {kind.__name__}, got {answer}")
    return answer


def picture() -> File:
    return File(payload=io.BytesIO(PICTURE), file_name="picture.png", mime_type="image/png")


def client(country: str) -> m.Buyer:
    business = got(public.ListBusinessTypesResponse200, list_business_types.sync(client=lookups))["B2B"]
    industries = got(public.ListIndustriesResponse200, list_industries.sync(client=lookups))
    industry = industries[industries.additional_keys[0]]
    saudi = country == "SA"
    identification = m.IdentificationInput(
        m.IdentificationInputTypeId("CRN" if saudi else "OTH"), "1010010000" if saudi else "100200300400003"
    )
    data = m.ClientData(
        buyer_name="Al Noor Trading" if saudi else "Gulf Trading",
        vat_registration_number="311111111100003" if saudi else "",
        business_type=business.uuid, industry=industry.uuid,
        street="King Fahd Road", building_number="1234", district="Al Olaya", city="Riyadh",
        province_state="Riyadh Province", postal_code="12345", country_code=country,
        additional_buyer_id=[identification],
    )
    made = got(m.ClientCreated, create_client.sync(client=khatm, body=m.CreateClientBody(client_data=data, file=picture())))
    change = m.ClientChange(contact_name="Noura Al Harbi")
    got(m.Buyer, change_buyer.sync(made.uuid, client=khatm, body=change))
    read = got(m.Buyer, get_buyer.sync(made.uuid, client=khatm))
    assert read.contact_name == "Noura Al Harbi" and read.logo_url is not None
    found = got(m.BuyersList, list_buyers.sync(client=khatm, search_text=read.buyer_name, page_size=100))
    assert any(b.uuid == read.uuid for b in found.buyers)
    return read


def item() -> m.Item:
    data = m.ItemData(
        item_name="Laptop 15 inch", item_net_price="4200.00", unit_of_measure="PCE",
        vat_category_code=m.ItemDataVatCategoryCode.S, vat_rate=15, stock=10,
    )
    made = got(m.ItemCreated, create_item.sync(client=khatm, body=m.CreateItemBody(item_data=data, files=[picture()])))
    got(m.Item, change_item.sync(made.uuid, client=khatm, body=m.ItemChange(item_net_price="4100.00")))
    read = got(m.Item, get_item.sync(made.uuid, client=khatm))
    assert read.item_net_price == "4100.00" and len(read.images) == 1
    assert any(i.uuid == read.uuid for i in got(m.ItemsList, list_items.sync(client=khatm)).items)
    return read


devices = got(m.DevicesList, list_devices.sync(client=khatm)).devices
device = next(
    d for d in devices
    if d.device_status == m.DeviceDeviceStatus.PCSID_GENERATED and d.invoice_type == m.DeviceInvoiceType("1100")
)
buyer, foreign, goods = client("SA"), client("AE"), item()


def line(name: str = "Laptop 15 inch", price: str = "4200.00", quantity: float = 2) -> m.FormLineBody:
    return m.FormLineBody(
        item_name=name, item_net_price=price, invoiced_quantity=quantity, invoiced_quantity_unit_of_measure="PCE",
        vat_category_code=m.FormLineBodyVatCategoryCode.S, vat_rate=15,
    )


@dataclass
class Document:
    """An invoice with the usual values."""

    type_code: int = 388
    transaction_code: str = "0100000"
    buyer: UUID | None = buyer.uuid
    currency: str = "SAR"
    exchange_rate: str = "1"
    payment_means: str = "10"
    form_lines: list[m.FormLineBody] = field(default_factory=list)
    lines: list[m.CatalogueLine] = field(default_factory=list)
    allowances: list[m.AllowanceBody] = field(default_factory=list)
    advances: list[UUID] = field(default_factory=list)
    amounts: list[m.PrepaidAmountBody] | Unset = UNSET
    reason: UUID | None = None
    originals: list[UUID] = field(default_factory=list)

    def body(self) -> m.InvoiceBody:
        return m.InvoiceBody(
            device=device.device_id, seller=device.seller_id, buyer=self.buyer,
            type_code=m.InvoiceBodyTypeCode(self.type_code),
            transaction_code=m.InvoiceBodyTransactionCode(self.transaction_code),
            supply_date=TODAY, supply_end_date=TODAY, currency=self.currency, exchange_rate=self.exchange_rate,
            payment_means_type_code=m.InvoiceBodyPaymentMeansTypeCode(self.payment_means),
            notes=[m.NoteBodyInput(m.NoteBodyInputLanguageId.AR, "شكرًا لتعاملكم معنا")],
            form_lines=self.form_lines, lines=self.lines, document_level_allowances=self.allowances,
            add_prepaid_amount=bool(self.advances), prepaid_invoices=self.advances, prepaid_amounts=self.amounts,
            reason_id=self.reason, original_invoice_reference=self.originals,
        )


def final(invoice: UUID) -> m.Invoice:
    for _ in range(120):
        read = got(m.Invoice, get_invoice.sync(invoice, client=khatm))
        if read.authority_response_status not in (None, m.InvoiceAuthorityResponseStatusType0.NO_RESPONSE):
            return read
        time.sleep(0.25)
    raise AssertionError(f"{invoice} has no answer")


def pdf(invoice: UUID) -> None:
    receipt = m.FormBody(language=m.FormBodyLanguageType0.AR, paper=m.FormBodyPaperType0("80mm"))
    for answer in (get_invoice_pdf.sync(invoice, client=khatm), draw_invoice_pdf.sync(invoice, client=khatm, body=receipt)):
        assert got(File, answer).payload.read(5) == b"%PDF-"


def issue(kind: str, document: Document) -> m.Invoice:
    """Previews, creates and reads a document, its PDF and its entry in the list."""
    body = document.body()
    shown = got(m.InvoicePreviewed, preview_invoice.sync(client=khatm, body=body)).invoice
    assert shown.uuid is None
    ticket = str(uuid4())
    answer = create_invoice.sync_detailed(client=khatm, body=body, idempotency_key=ticket)
    made = got(m.InvoiceCreated, answer.parsed)
    assert answer.headers["X-Khatm-Environment"] == "simulator" and "X-Khatm-Ignored" not in answer.headers
    again = got(m.InvoiceCreated, create_invoice.sync(client=khatm, body=body, idempotency_key=ticket))
    assert made.invoice_uuid == again.invoice_uuid
    read = final(made.invoice_uuid)
    accepted = "REPORTED" if document.transaction_code == "0200000" else "CLEARED"
    assert read.authority_response_status == accepted, read.authority_response_data
    assert read.invoice_payable_amount == shown.invoice_payable_amount
    pdf(read.uuid)
    statuses = [m.ListInvoicesInvoiceStatusItem.CLEARED, m.ListInvoicesInvoiceStatusItem.REPORTED]
    rows = got(m.InvoicesList, list_invoices.sync(client=khatm, uuid=[read.uuid], invoice_status=statuses)).invoices
    assert got(m.InvoiceListed, rows[0]).device == device.device_id
    print(f"{kind}: {read.ref_num} {read.authority_response_status} {read.invoice_payable_amount}")
    return read


# No operation lists the reasons, but the refusal of an unknown one does.
unknown = preview_invoice.sync(client=khatm, body=Document(form_lines=[line()], reason=uuid4()).body())
reasons = got(m.BadRequest4Message, unknown).reasons
assert not isinstance(reasons, Unset)
reason = reasons[0].uuid

first = issue("standard invoice", Document(form_lines=[line()]))
issue("simplified invoice", Document(buyer=None, transaction_code="0200000", form_lines=[line()]))
exported = m.FormLineBody(
    item_name="Dates, premium", item_net_price="80.00", invoiced_quantity=50, invoiced_quantity_unit_of_measure="KGM",
    vat_category_code=m.FormLineBodyVatCategoryCode.Z, vat_rate=0,
    vat_exemption_reason_code="VATEX-SA-32", vat_exemption_reason_text="Export of goods",
)
issue("export invoice", Document(buyer=foreign.uuid, transaction_code="0100100", form_lines=[exported]))
issue("credit note", Document(type_code=381, form_lines=[line(quantity=1)], reason=reason, originals=[first.uuid]))
issue("debit note", Document(type_code=383, form_lines=[line(quantity=1)], reason=reason, originals=[first.uuid]))
advance = issue("advance payment", Document(type_code=386, form_lines=[line("Advance payment", "1000.00", 1)]))
amount = m.PrepaidAmountBody(advance.uuid, m.PrepaidAmountBodyVatCategoryCode.S, 15, "400.00")
part = issue("part of an advance", Document(form_lines=[line()], advances=[advance.uuid], amounts=[amount]))
assert part.prepaid_amounts[0].amount == "400.00"
issue("rest of an advance", Document(form_lines=[line()], advances=[advance.uuid]))
issue("catalogue lines", Document(lines=[m.CatalogueLine(goods.uuid, 2)]))
water = m.FormLineBody(
    item_name="Mineral water", item_gross_price="10.00", invoiced_quantity=10, invoiced_quantity_unit_of_measure="PCE",
    vat_category_code=m.FormLineBodyVatCategoryCode.S, vat_rate=15,
)
till = issue("shelf prices", Document(buyer=None, transaction_code="0200000", form_lines=[water]))
assert till.invoice_payable_amount == "100.00" and till.lines[0].item_gross_price == "10.00"
issue("foreign currency", Document(currency="USD", exchange_rate="3.75", form_lines=[line()]))
discount = m.AllowanceBody("100.00", m.AllowanceBodyVatCategoryCode.S, 15)
issue("discount", Document(form_lines=[line()], allowances=[discount]))

# Refusals: the code is one of those that the document lists for the operation.
refused = got(m.ConflictMessage, resend_invoice.sync(first.uuid, client=khatm))
assert refused.code == "invoice_answered"
without_terms = create_invoice.sync(client=khatm, body=Document(form_lines=[line()], payment_means="30").body())
assert got(m.BadRequest2Message, without_terms).code == "payment_terms_required"

note = m.RemarkBody("Delivery", "Left at the gate.")
got(m.InvoiceNote, create_invoice_note.sync(first.uuid, client=khatm, body=note))
assert got(m.NotesList, list_invoice_notes.sync(first.uuid, client=khatm)).notes[0].title == "Delivery"
assert got(m.Usage, get_usage.sync(client=khatm)).invoices_allowed
got(m.ListPaymentMeansTypesResponse200, list_payment_means_types.sync(client=khatm))
got(m.ListUnitsOfMeasureResponse200, list_units_of_measure.sync(client=khatm))
got(m.ListVatRatesResponse200, list_vat_rates.sync(client=khatm))
print("Python: all documents issued")
