import { useQuery } from "@tanstack/react-query";
import { FileUp, Plus } from "lucide-react";
import { useDeferredValue } from "react";
import { type Item, itemsQuery } from "../../data/catalogue";
import { unitsQuery } from "../../data/lists";
import { ActionLink } from "../../parts/Action";
import { Amount } from "../../parts/Amount";
import { Count, List, SearchBox, useList } from "../../parts/List";
import { Page } from "../../parts/Page";
import { useSession } from "../../parts/session";
import { type Column, Table } from "../../parts/Table";
import { useWords } from "../../words";

export default function ItemsPage() {
  const { t, pick } = useWords();
  const { can } = useSession();
  const { search, cursor, set, setSearch } = useList();
  const words = useDeferredValue(search);
  const units = useQuery(unitsQuery).data ?? [];
  const list = useQuery(itemsQuery({ page_size: 25, ...(words && { search_text: words }), ...(cursor && { cursor }) }));
  const unitOf = (code: string) => {
    const unit = units.find((one) => one.code === code);
    return unit ? pick(unit.description_ar, unit.description) : code;
  };
  const columns: Column<Item>[] = [
    { title: t("item_name"), cell: (item) => <><bdi>{pick(item.item_name_arabic, item.item_name)}</bdi>{!item.is_active && <span className="ms-2 rounded-full bg-sunken px-2.5 py-0.5 text-xs font-bold text-muted">{t("item_inactive")}</span>}</> },
    { title: t("item_sku"), cell: (item) => <bdi>{item.sku}</bdi>, minor: true },
    { title: t("item_unit"), cell: (item) => unitOf(item.unit_of_measure) },
    { title: t("item_vat_short"), cell: (item) => <bdi dir="ltr" className="number">{item.vat_rate}%</bdi>, number: true, minor: true },
    { title: t("item_stock"), cell: (item) => (item.stock === null ? <span className="text-muted">{t("item_unlimited")}</span> : <Amount of={item.stock} />), number: true, minor: true },
    { title: t("item_price"), cell: (item) => <span className="font-bold text-ink"><Amount of={item.item_net_price} currency="SAR" /></span>, number: true, currency: () => "SAR" },
  ];
  return (
    <Page
      title={t("item_title")}
      note={<Count of={list.data} word="n_items" />}
      actions={
        <>
          {can("Accountant") && <ActionLink href="/imports?kind=items"><FileUp size={16} aria-hidden />{t("import_from_file")}</ActionLink>}
          {can("CreateInvoice") && <ActionLink href="/items/new" look="main"><Plus size={16} aria-hidden />{t("item_add")}</ActionLink>}
        </>
      }
    >
      <SearchBox label={t("item_search")} value={search} onChange={setSearch} />
      <List query={list} rows={(data) => data.items} empty={{ title: t("item_none"), text: t("item_none_text") }} filtered={Boolean(words)} cursor={cursor} onCursor={(next) => set({ cursor: next })}>
        {(data) => <Table label={t("item_title")} rows={data.items} columns={columns} keyOf={(item) => item.uuid} href={(item) => `/items/${item.uuid}`} />}
      </List>
    </Page>
  );
}
