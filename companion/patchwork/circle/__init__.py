"""The circle of patches read from one picture: the patches around the time board and their order."""

from companion.patchwork.circle.drawing import draw_market
from companion.patchwork.circle.seeing import MarketError, see_market, see_market_in_photo
from companion.patchwork.circle.seen import CircleSighting, Doubt, SeenMarket

__all__ = ["CircleSighting", "Doubt", "MarketError", "SeenMarket", "draw_market", "see_market", "see_market_in_photo"]
