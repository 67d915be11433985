import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactNode } from 'react'
import { HeldCard, type HeldCardProps } from '../card/held-card.tsx'
import { useWatchedPointer } from '../decision/press-guard.tsx'

/** Props of `HeldCallDialog`. */
export interface HeldCallDialogProps extends Omit<HeldCardProps, 'actions' | 'takesFocus'> {
  /** The title, for screen readers. */
  readonly title?: string
  /** The dialog was closed without an answer; the call stays held. */
  readonly onClose: () => void
}

/**
 * The whole card of a held call as a dialog, for pages without an inbox: with the code and reason of manual approval, the
 * edit form and every grant. Escape closes it without an answer.
 *
 * ```tsx
 * <HeldCallDialog view={view} blocked={null} onDecide={(decision) => decide(view, decision)} onClose={close} />
 * ```
 */
export function HeldCallDialog({
  title = 'Allow this tool to run?',
  onClose,
  ...card
}: HeldCallDialogProps): ReactNode {
  useWatchedPointer()
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="cs-backdrop" />
        <AlertDialog.Popup className="cs-dialog cs-dialog-card cs-root">
          <AlertDialog.Title className="cs-hidden">{title}</AlertDialog.Title>
          <HeldCard {...card} takesFocus />
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
