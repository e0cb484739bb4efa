import { useLocation } from "wouter";
import { ItemForm } from "../../parts/ItemForm";
import { notify } from "../../parts/notify";
import { Page } from "../../parts/Page";
import { useWords } from "../../words";

export default function NewItemPage() {
  const { t } = useWords();
  const [, navigate] = useLocation();
  return (
    <Page back={{ href: "/items", title: t("nav_items") }} title={t("item_new")}>
      <section className="max-w-3xl rounded-xl border border-line bg-surface p-4 sm:p-6">
        <ItemForm
          onSaved={(item) => {
            notify(t("item_created"));
            navigate(`/items/${item.uuid}`);
          }}
          onCancel={() => navigate("/items")}
        />
      </section>
    </Page>
  );
}
