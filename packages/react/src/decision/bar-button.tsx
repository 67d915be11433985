import type { RiskLevel } from '@countersign/core'
import type { ReactNode, Ref } from 'react'

const LOOKS = {
  plain: 'cs-button cs-big',
  reject: 'cs-button cs-big cs-reject',
  approve: 'cs-button cs-big cs-approve',
  quiet: 'cs-quiet',
} as const

/** A button of a bar that decides. One that is disabled still hears the press, so that whoever tries can be told why. */
export function BarButton({
  kind,
  level,
  hotkey,
  disabled,
  ref,
  onPress,
  children,
}: {
  readonly kind: keyof typeof LOOKS
  /** The risk that is approved. */
  readonly level?: RiskLevel
  /** The key that does the same. */
  readonly hotkey?: string
  readonly disabled?: boolean
  readonly ref?: Ref<HTMLButtonElement>
  readonly onPress: () => void
  readonly children: ReactNode
}): ReactNode {
  return (
    <button
      ref={ref}
      type="button"
      className={level === undefined ? LOOKS[kind] : `${LOOKS[kind]} cs-approve-${level}`}
      aria-disabled={disabled}
      onClick={onPress}
    >
      {children}
      {hotkey !== undefined && (
        <>
          {' '}
          <span className="cs-key" aria-hidden="true">
            {hotkey}
          </span>
        </>
      )}
    </button>
  )
}
