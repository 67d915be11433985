import { type StoredCall, safeText, toRiskLevel } from '@countersign/core'
import type { NotifiedCall } from './notification.ts'

const MOST_NAME = 64
const MOST_SUMMARY = 200

/**
 * A held call as notifications tell of it, from its row alone. SECURITY: A32 the sealed arguments are never opened for a notification;
 * the row’s line is redacted already.
 */
export function notifiedCall(row: StoredCall): NotifiedCall | null {
  const { id, tool, agent, risk, summary, openedAt, expiresAt } = row
  if (expiresAt === null) return null
  return {
    id,
    risk: toRiskLevel(risk),
    tool: shown(tool, MOST_NAME),
    agent: shown(agent, MOST_NAME),
    openedAt,
    deadline: expiresAt,
    summary: shown(summary, MOST_SUMMARY),
  }
}

function shown(text: string, most: number): string {
  const characters = [...text]
  return safeText(characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text)
}
