import { type ReactNode, Suspense } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { Loading } from "./states";

interface Props {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
}

/** A dialog above the page. Escape closes it, and so does a click beside it, except for wide ones: they are forms with much to type. */
export function Sheet({ title, isOpen, onClose, children, wide }: Props) {
  return (
    <ModalOverlay isOpen={isOpen} onOpenChange={(open) => !open && onClose()} isDismissable={!wide} className="fixed inset-0 z-40 grid items-end justify-items-center overflow-y-auto bg-black/40 sm:items-center sm:p-6">
      <Modal className={`max-h-dvh w-full overflow-y-auto rounded-t-xl border border-line bg-surface shadow-xl sm:rounded-xl ${wide ? "sm:max-w-2xl" : "sm:max-w-md"}`}>
        <Dialog className="grid gap-4 p-6 outline-none">
          <Heading slot="title" className="text-lg font-bold">{title}</Heading>
          <Suspense fallback={<Loading />}>{children}</Suspense>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the end of a dialog or form, the main one last. */
export function Buttons({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2 pt-2">{children}</div>;
}
