import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleAlert, Info, Megaphone, TriangleAlert } from "lucide-react";
import { Button, Dialog, DialogTrigger, Heading, Link, Popover } from "react-aria-components";
import { app } from "../data/client";
import { data, type Notice, noticesQuery } from "../data/queries";
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

/** What people should know now. Opening the list marks it as read. */
export function Notices() {
  const { t, pick } = useWords();
  const queries = useQueryClient();
  const notices = useQuery(noticesQuery);
  const list = notices.data?.notices ?? [];
  const unread = notices.data?.unread ?? 0;
  const read = useMutation({
    mutationFn: () => data(app.POST("/api/notices/read/", { body: { ids: list.filter((one) => !one.read).map((one) => one.id) } })),
    onSuccess: (next) => queries.setQueryData(noticesQuery.queryKey, next),
  });
  return (
    <DialogTrigger onOpenChange={(open) => !open && unread > 0 && read.mutate()}>
      <Button aria-label={t("notices_open", { count: unread })} className="relative grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken">
        <Megaphone size={18} aria-hidden className="rtl:-scale-x-100" />
        {unread > 0 && <bdi aria-hidden className="absolute -inset-e-1 -top-1 rounded-full bg-bad px-1.5 text-xs font-bold text-surface">{unread}</bdi>}
      </Button>
      <Popover placement="bottom end" className={`${popover} w-80 max-w-[calc(100vw-2rem)]`}>
        <Dialog className="outline-none">
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
    </DialogTrigger>
  );
}
