import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { type Item, itemQuery } from "../../data/catalogue";
import { removeItemImages, setItemImages } from "../../data/pictures";
import { Amount } from "../../parts/Amount";
import { Facts } from "../../parts/Facts";
import { ItemForm } from "../../parts/ItemForm";
import { notify } from "../../parts/notify";
import { Page } from "../../parts/Page";
import { Picture } from "../../parts/Picture";
import { Pictures } from "../../parts/Pictures";
import { useSession } from "../../parts/session";
import { ErrorState, LoadingPage } from "../../parts/states";
import { useWords } from "../../words";

export default function ItemPage({ id }: { id: string }) {
  const { t, pick } = useWords();
  const { can } = useSession();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const item = useQuery(itemQuery(id));
  if (item.isPending) return <LoadingPage boxes={["h-[80rem] max-w-3xl sm:h-[57rem]"]} />;
  if (item.error) return <ErrorState page error={item.error} retry={() => void item.refetch()} />;
  const of = item.data;
  return (
    <Page back={{ href: "/items", title: t("nav_items") }} title={<bdi>{pick(of.item_name_arabic, of.item_name)}</bdi>} note={!of.is_active && t("item_inactive")}>
      <section className="grid max-w-3xl gap-6 rounded-xl border border-line bg-surface p-4 sm:p-6">
        {can("CreateInvoice") ? (
          <Pictures label={t("item_part_picture")} urls={of.images.map((image) => image.url)} set={(files) => setItemImages(id, files)} remove={() => removeItemImages(id)} onChanged={(changed) => queries.setQueryData(itemQuery(id).queryKey, changed)} several />
        ) : (
          of.images.length > 0 && <div className="flex flex-wrap gap-3">{of.images.map((image) => <Picture key={image.url} url={image.url} alt={t("item_part_picture")} />)}</div>
        )}
        {can("CreateInvoice") ? <ItemForm key={of.uuid} item={of} onSaved={() => notify(t("saved"))} onCancel={() => navigate("/items")} /> : <ItemFacts of={of} />}
      </section>
    </Page>
  );
}

/** The record for people who may not change it. */
function ItemFacts({ of }: { of: Item }) {
  const { t } = useWords();
  return (
    <Facts
      of={[
        [t("item_name_arabic"), of.item_name_arabic],
        [t("item_name_latin"), of.item_name],
        [t("item_sku"), of.sku],
        [t("item_barcode"), of.barcode],
        [t("item_description"), of.description],
        [t("item_price"), <Amount of={of.item_net_price} />],
        [t("item_vat_short"), <bdi dir="ltr">{of.vat_rate}%</bdi>],
        [t("item_reason"), of.vat_exemption_reason_text],
        [t("item_stock"), of.stock ?? t("item_unlimited")],
      ]}
    />
  );
}
