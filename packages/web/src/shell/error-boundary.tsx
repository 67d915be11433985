import type { ConnectionState } from '@countersign/react'
import { Component, type ReactNode } from 'react'

interface Props {
  /** Another one is another page: what went wrong on the last is forgotten. */
  readonly path: string
  readonly link: ConnectionState
  readonly children: ReactNode
}

/**
 * A page that could not be drawn or loaded says so. While the service is away that is why, and the page is loaded again
 * once it is back; else a service that was updated under an open page is the usual cause.
 */
export class ErrorBoundary extends Component<Props, { readonly failed: string | null }> {
  override state = { failed: null }

  static getDerivedStateFromError(error: unknown): { readonly failed: string } {
    return { failed: error instanceof Error ? error.message : 'unknown' }
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.failed === null) return
    if (before.path !== this.props.path) this.setState({ failed: null })
    // The module that failed is remembered as such by the document. Never from `connecting`: that would go on for ever.
    else if (isAway(before.link) && this.props.link === 'live') location.reload()
  }

  override render(): ReactNode {
    if (this.state.failed === null) return this.props.children
    return (
      <div className="pane-empty" role="alert">
        {isAway(this.props.link) ? (
          <p>This page could not be loaded while the service does not answer. It is loaded once it does.</p>
        ) : (
          <p>This page could not be shown, and nothing was decided. The inbox may have been updated.</p>
        )}
        <button type="button" className="cs-button cs-primary" onClick={() => location.reload()}>
          Load it again
        </button>
      </div>
    )
  }
}

function isAway(link: ConnectionState): boolean {
  return link === 'reconnecting' || link === 'offline'
}
