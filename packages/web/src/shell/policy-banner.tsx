import { Safe } from '@countersign/react'
import type { ReactNode } from 'react'
import type { Me } from '../api/service.ts'

/** Says loudly what makes an empty inbox mean nothing: a preset that holds nothing, or policy files that are refused. */
export function PolicyBanner({ me }: { readonly me: Me }): ReactNode {
  const problems = me.policyProblems ?? []
  if (me.preset !== 'classic' && problems.length === 0) return null
  return (
    <div className="banner" role="alert">
      {me.preset === 'classic' && <p>The preset is classic: nothing is held, everything runs and is recorded.</p>}
      {problems.map((problem) => (
        <p key={problem}>
          <Safe text={problem} />
        </p>
      ))}
    </div>
  )
}
