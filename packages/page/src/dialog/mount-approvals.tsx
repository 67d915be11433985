import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { PageDesk } from '../page-desk.ts'
import { PageApprovals, type PageApprovalsProps } from './page-approvals.tsx'

/**
 * Shows the dialogs of a desk in a page without React; returns the function that removes them.
 *
 * ```ts
 * const unmount = mountApprovals(desk)
 * ```
 */
export function mountApprovals(desk: PageDesk, options: Pick<PageApprovalsProps, 'labels'> = {}): () => void {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  root.render(
    <StrictMode>
      <PageApprovals desk={desk} {...options} />
    </StrictMode>,
  )
  return () => {
    root.unmount()
    place.remove()
  }
}
