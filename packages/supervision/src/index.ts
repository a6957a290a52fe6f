export { endAfterUs } from './end-after-us.ts';
export { endsWithin, type Exit, exitOf } from './exit.ts';
export { isAborted, keepRunning, RESTART_PAUSES, type RestartPauses } from './keep-running.ts';
export { untilUnanswered } from './until-unanswered.ts';
