"""Compiled functions of a policy's play and learning: masked softmax, PPO's loss, and advantages of several seats."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skyjo_training.compiled.layers import ZERO, Floats, compiled

LOSSES = ("policy_gradient_loss", "value_loss", "entropy_loss", "approx_kl", "clip_fraction")
CLIP = np.float32(0.2)  # how far the chance of an action may move in one update
ONE = np.float32(1)


class Loss(NamedTuple):
    """Weights of the terms in the loss of a batch."""

    share: float  # of each decision: 1 over the size of the batch
    ent_coef: float
    vf_coef: float
    mean_advantage: float  # over the batch
    spread: float  # of the advantages
    imitates: bool  # the decisions are a teacher's


class Decisions(NamedTuple):
    """Decisions as they were noted, [N] each."""

    actions: NDArray[np.int64]
    log_chances: Floats  # of the actions when they were chosen
    values: Floats  # as expected then
    advantages: Floats


@compiled
def log_softmax(logits, masks):
    """Replace the logits of legal actions by the logarithms of their chances."""
    rows, width = logits.shape
    for n in range(np.uint64(rows)):
        highest = np.float32(-np.inf)
        for k in range(np.uint64(width)):
            if masks[n, k]:
                highest = max(highest, logits[n, k])
        total = np.float32(0)
        for k in range(np.uint64(width)):
            if masks[n, k]:
                total += np.exp(logits[n, k] - highest)
        total = highest + np.log(total)
        for k in range(np.uint64(width)):
            logits[n, k] -= total


@compiled
def decide(logits, masks, luck, decisions):
    """Choose legal actions by their chances, and note the logarithms of these.

    `luck` are numbers from 0 to 1. Without any, the actions have been chosen.
    """
    log_softmax(logits, masks)
    rows, width = logits.shape
    for n in range(np.uint64(len(luck))):
        left = luck[n]
        for k in range(np.uint64(width)):
            if masks[n, k]:
                decisions.actions[n] = k
                left -= np.exp(logits[n, k])
                if left < 0:
                    break
    for n in range(np.uint64(rows)):
        decisions.log_chances[n] = logits[n, np.uint64(decisions.actions[n])]


@compiled
def policy_gradient(log_chances, masks, rows, decisions, loss, losses):
    """Replace the logarithms of the chances by the gradient of PPO's loss for the logits, and add up the losses."""
    width, chances = np.uint64(log_chances.shape[1]), np.empty(log_chances.shape[1], np.float32)
    share, ent_coef, mean = np.float32(loss.share), np.float32(loss.ent_coef), np.float32(loss.mean_advantage)
    for n in range(np.uint64(len(rows))):
        row = np.uint64(rows[n])
        action = np.uint64(decisions.actions[row])
        advantage = (decisions.advantages[row] - mean) / np.float32(loss.spread)
        log_ratio = log_chances[n, action] - decisions.log_chances[row]
        ratio = np.exp(log_ratio)
        is_clipped = abs(ratio - ONE) > CLIP
        is_flat = is_clipped and (ratio > 1) == (advantage > 0)
        push = ZERO if is_flat else advantage * ratio
        gain = min(advantage * ratio, advantage * min(max(ratio, ONE - CLIP), ONE + CLIP))
        if loss.imitates:
            push, gain = ONE, log_chances[n, action]
        entropy = ZERO
        for k in range(width):
            if masks[n, k]:
                chances[k] = np.exp(log_chances[n, k])
                entropy -= chances[k] * log_chances[n, k]
        for k in range(width):
            if masks[n, k]:
                log_chances[n, k] = share * chances[k] * (push + ent_coef * (log_chances[n, k] + entropy))
            else:
                log_chances[n, k] = ZERO
        log_chances[n, action] -= share * push
        losses[0] -= share * gain
        losses[2] -= share * entropy
        losses[3] += share * (ratio - ONE - log_ratio)
        losses[4] += share * is_clipped


@compiled
def loss_back(logits, values, masks, rows, decisions, loss, losses):
    """Replace the logits and values of the decisions `rows` by their gradients, and add up the losses."""
    log_softmax(logits, masks)
    policy_gradient(logits, masks, rows, decisions, loss, losses)
    share = np.float32(loss.share)
    for n in range(np.uint64(len(values))):
        row = np.uint64(rows[n])
        error = values[n] - decisions.values[row] - decisions.advantages[row]
        losses[1] += share * error * error
        values[n] = np.float32(2 * loss.vf_coef) * share * error


@compiled
def seat_advantages(rewards, ends, seats, values, last_seats, last_values, decay, advantages):
    """Write generalised advantages, each from a seat's decision to that seat's next one, without discount.

    `rewards` [T, N, P] are those of all seats for the decisions of `seats` [T, N]; after the last ones `last_seats`
    expect `last_values`. Until a seat decides again or its round ends, what its last decision led to is not known: the
    advantage is 0.
    """
    steps, tables, players = rewards.shape
    advantage_at, value_at, reward_since = np.empty(players), np.empty(players), np.empty(players)
    is_known = np.empty(players, np.bool_)
    for n in range(tables):
        for seat in range(players):
            advantage_at[seat], value_at[seat], reward_since[seat], is_known[seat] = 0, 0, 0, False
        value_at[last_seats[n]], is_known[last_seats[n]] = last_values[n], True
        for step in range(steps - 1, -1, -1):
            for seat in range(players):
                if ends[step, n]:
                    advantage_at[seat], value_at[seat], reward_since[seat], is_known[seat] = 0, 0, 0, True
                reward_since[seat] += rewards[step, n, seat]
            seat = seats[step, n]
            surprise = reward_since[seat] + value_at[seat] - values[step, n]
            advantage_at[seat] = surprise + decay * advantage_at[seat] if is_known[seat] else 0.0
            advantages[step, n] = advantage_at[seat]
            value_at[seat], reward_since[seat], is_known[seat] = values[step, n], 0, True
