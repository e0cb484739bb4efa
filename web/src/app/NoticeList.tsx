import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { RefObject } from "react";
import { Dialog, Heading, Link, Popover } from "react-aria-components";
import type { Notice } from "../data/queries";
import { popover } from "../parts/popover";
import { Whole } from "../parts/Whole";
import { useWords } from "../words";

const looks = {
  critical: { icon: CircleAlert, colour: "text-bad" },
  warning: { icon: TriangleAlert, colour: "text-wait" },
  info: { icon: Info, colour: "text-accent" },
};

/** Returns the page of what a notice is about. */
function pageOf(notice: Notice): string {
  const { subject } = notice;
  if (notice.kind === "allowance") return "/plan";
  if (subject?.type === "device") return `/devices/${subject.uuid}`;
  if (subject?.type === "invoice") return `/invoices/${subject.uuid}`;
  return "/attention";
}

/** The notices, above the page. */
export default function NoticeList({ id, of, list, onClose }: { id: string; of: RefObject<HTMLButtonElement | null>; list: Notice[]; onClose: () => void }) {
  const { t, pick } = useWords();
  return (
    <Popover triggerRef={of} isOpen onOpenChange={(open) => !open && onClose()} placement="bottom end" className={`${popover} w-80 max-w-[calc(100vw-2rem)]`}>
      <Dialog id={id} className="outline-none">
        <Heading slot="title" className="border-b border-line px-4 py-3 font-bold">{t("notices")}</Heading>
        {list.length === 0 ? (
          <p className="px-4 py-6 text-center text-muted">{t("notices_none")}</p>
        ) : (
          <ul className="max-h-96 divide-y divide-line overflow-y-auto">
            {list.map((one) => {
              const { icon: Icon, colour } = looks[one.level];
              return (
                <li key={one.id}>
                  <Link href={pageOf(one)} className="grid grid-cols-[auto_1fr] gap-x-3 px-4 py-3 hover:bg-sunken">
                    <Icon size={18} aria-hidden className={`mt-0.5 ${colour}`} />
                    <span className={one.read ? "" : "font-bold"}><Whole>{pick(one.message_ar, one.message)}</Whole></span>
                    <span className="col-start-2 text-xs text-muted">{pick(one.fix_ar, one.fix)}</span>
                  </Link>
                </li>
              );
            })}
          </ul>
        )}
      </Dialog>
    </Popover>
  );
}
