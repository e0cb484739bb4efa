import { useQuery } from "@tanstack/react-query";
import { FileUp, Plus } from "lucide-react";
import { useDeferredValue } from "react";
import { type Client, clientsQuery } from "../../data/catalogue";
import { ActionLink } from "../../parts/Action";
import { Count, List, SearchBox, useList } from "../../parts/List";
import { Page } from "../../parts/Page";
import { useSession } from "../../parts/session";
import { type Column, Table } from "../../parts/Table";
import { useWords } from "../../words";

export default function ClientsPage() {
  const { t, pick } = useWords();
  const { can } = useSession();
  const { search, cursor, set, setSearch } = useList();
  const words = useDeferredValue(search);
  const list = useQuery(clientsQuery({ page_size: 25, ...(words && { search_text: words }), ...(cursor && { cursor }) }));
  const columns: Column<Client>[] = [
    { title: t("client_name"), cell: (client) => <bdi>{pick(client.buyer_name_arabic, client.buyer_name)}</bdi> },
    { title: t("client_vat"), cell: (client) => <bdi className="number">{client.vat_registration_number}</bdi> },
    { title: t("client_city"), cell: (client) => <bdi>{pick(client.city_arabic, client.city)}</bdi> },
    { title: t("client_contact_phone"), cell: (client) => <bdi dir="ltr" className="number">{client.contact_phone}</bdi>, minor: true },
  ];
  const add = can("CreateInvoice") && <ActionLink href="/clients/new" look="main"><Plus size={16} aria-hidden />{t("client_add")}</ActionLink>;
  return (
    <Page
      title={t("client_title")}
      note={<Count of={list.data} word="n_clients" />}
      actions={<>{can("Accountant") && <ActionLink href="/imports?kind=clients"><FileUp size={16} aria-hidden />{t("import_from_file")}</ActionLink>}{add}</>}
    >
      <SearchBox label={t("client_search")} value={search} onChange={setSearch} />
      <List query={list} rows={(data) => data.buyers} empty={{ title: t("client_none"), text: t("client_none_text") }} filtered={Boolean(words)} cursor={cursor} onCursor={(next) => set({ cursor: next })}>
        {(data) => <Table label={t("client_title")} rows={data.buyers} columns={columns} keyOf={(client) => client.uuid} href={(client) => `/clients/${client.uuid}`} />}
      </List>
    </Page>
  );
}
