import { join } from 'node:path'
import { killAtEveryMoment } from '../../support/kill-stages.ts'

killAtEveryMoment('OpenAI Agents', join(import.meta.dirname, 'durable-child.ts'))
