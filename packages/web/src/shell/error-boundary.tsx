import type { ConnectionState } from '@countersign/react'
import { Component, type ReactNode } from 'react'

interface Props {
  /** A new path clears the error. */
  readonly path: string
  readonly link: ConnectionState
  readonly children: ReactNode
}

/**
 * Shows an error if a page fails to load or render. Reloads after a reconnect; otherwise the usual cause is an update
 * of the service.
 */
export class ErrorBoundary extends Component<Props, { readonly failed: string | null }> {
  override state = { failed: null }

  static getDerivedStateFromError(error: unknown): { readonly failed: string } {
    return { failed: error instanceof Error ? error.message : 'unknown' }
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.failed === null) return
    if (before.path !== this.props.path) this.setState({ failed: null })
    // Browsers cache failed modules, so only a reload helps. Not from `connecting`, which would loop.
    else if (isAway(before.link) && this.props.link === 'live') location.reload()
  }

  override render(): ReactNode {
    if (this.state.failed === null) return this.props.children
    return (
      <div className="pane-empty" role="alert">
        {isAway(this.props.link) ? (
          <p>This page can’t load because the service is not responding. It loads as soon as the service is back.</p>
        ) : (
          <p>This page failed to load. Nothing was decided. The inbox may have been updated.</p>
        )}
        <button type="button" className="cs-button cs-primary" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    )
  }
}

function isAway(link: ConnectionState): boolean {
  return link === 'reconnecting' || link === 'offline'
}
